import { globSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const PARTS = ['check', 'build', 'fast', 'slow', 'browser'] as const
export type Part = (typeof PARTS)[number]

/** Seconds that a file takes: waiting included, and of a processor. */
export interface Duration {
  readonly wall: number
  readonly cpu: number
}

export type Durations = Readonly<Record<string, Duration>>

interface Described {
  readonly part: Part
  readonly name: string
  /** Seconds: those with the longest start first. */
  readonly estimate: number
  /** Names of jobs that must have succeeded. */
  readonly waitsFor: readonly string[]
}

export interface CommandJob extends Described {
  readonly kind: 'command'
}

export interface TestJob extends Described {
  readonly kind: 'test'
  readonly files: readonly string[]
}

/** A file with `globalSetup` and `globalTeardown`, as `--test-global-setup` takes it. */
export interface SetupJob extends Described {
  readonly kind: 'setup'
  readonly file: string
}

export type Job = CommandJob | TestJob | SetupJob

/** The compiler on one thread needs half as much of the processors as on several. */
const CHECKS = [
  'tsc --noEmit --singleThreaded',
  'tsc --noEmit --singleThreaded -p web',
  'biome ci .',
  'tsc --noEmit -p client',
  'tsc -p client/src',
  'node scripts/check-imports.ts',
  'node scripts/check-text.ts',
  'node scripts/generate-client.ts --check',
]
const BUILD = 'vite build'
const SETUPS: Readonly<Partial<Record<Part, string>>> = {
  slow: 'test/support/global-setup.ts',
  browser: 'test/browser/browser-setup.ts',
}

/** These have a process of their own, since they change or measure what a process has but once. */
const ALONE: readonly string[] = []

/**
 * A process loads the service once for all of its files, and needs memory for all of them. Those in
 * a browser share one, which takes seconds of processor time to start.
 */
const GROUP_SECONDS: Readonly<Partial<Record<Part, number>>> = { browser: 90 }
const USUAL_GROUP_SECONDS = 30
const GROUP_FILES = 20

/** The work of these parts; files of other folders than the given ones are left out. */
export function jobsOf(parts: readonly Part[], folder: string, known: Durations, within: readonly string[]): Job[] {
  const files = testFiles(folder).filter((file) => within.length === 0 || within.some((path) => file.startsWith(path)))
  const estimate = (file: string) => known[file]?.wall ?? guess(file, statSync(join(folder, file)).size)
  // Tests read what the build writes.
  const built = parts.includes('build') ? [BUILD] : []
  const jobs: Job[] = []
  for (const part of parts) {
    if (part === 'check') for (const name of CHECKS) jobs.push(command(part, name))
    else if (part === 'build') jobs.push(command(part, BUILD))
    else {
      const own = files.filter((file) => partOf(file) === part)
      const setup = own.length > 0 ? SETUPS[part] : undefined
      if (setup) jobs.push({ kind: 'setup', part, name: `set up ${part}`, estimate: 0, waitsFor: [], file: setup })
      const waitsFor = [...built, ...(setup ? [`set up ${part}`] : [])]
      for (const group of groupsOf(own, estimate, GROUP_SECONDS[part])) {
        const name = group.length === 1 ? group[0]! : `${commonFolder(group)} (${group.length} files)`
        const sum = group.reduce((seconds, file) => seconds + estimate(file), 0)
        jobs.push({ kind: 'test', part, name, files: group, estimate: sum, waitsFor })
      }
    }
  }
  return jobs
}

const command = (part: Part, name: string): Job => ({ kind: 'command', part, name, estimate: 0, waitsFor: [] })

/** Every test file below `folder`, sorted. */
export function testFiles(folder: string): string[] {
  return globSync('test/**/*.test.ts', { cwd: folder }).sort()
}

export function partOf(file: string): Part {
  if (file.startsWith('test/browser/')) return 'browser'
  return file.endsWith('.slow.test.ts') ? 'slow' : 'fast'
}

/**
 * Puts files that are next to each other into groups of about equal work. Neighbours load the same
 * modules, which a group loads once.
 */
export function groupsOf(
  files: readonly string[],
  estimate: (file: string) => number,
  groupSeconds = USUAL_GROUP_SECONDS,
): string[][] {
  const groups = files.filter((file) => ALONE.includes(file)).map((file) => [file])
  let [group, seconds]: [string[], number] = [[], 0]
  for (const file of files.filter((each) => !ALONE.includes(each))) {
    const isFull = group.length === GROUP_FILES || seconds + estimate(file) > groupSeconds
    if (group.length > 0 && isFull) [group, seconds] = [[], 0]
    if (group.length === 0) groups.push(group)
    group.push(file)
    seconds += estimate(file)
  }
  return groups
}

/** Seconds of a file that was never measured here. */
function guess(file: string, bytes: number): number {
  return (bytes / 1000) * { fast: 0.1, slow: 0.5, browser: 3, check: 0, build: 0 }[partOf(file)]
}

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0]!)
  while (!files.every((file) => file.startsWith(`${folder}/`))) folder = dirname(folder)
  return folder
}
