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

/** Of the files that share a process, about. */
interface GroupSize {
  readonly seconds: number
  readonly files: number
}

/**
 * A process loads the service once for all of its files, and needs memory for all of them. Loading
 * takes as long as ten fast files. Those in a browser share one, which takes seconds of processor
 * time to start.
 */
const GROUP_SIZES: Readonly<Partial<Record<Part, GroupSize>>> = {
  fast: { seconds: 90, files: 40 },
  browser: { seconds: 300, files: 20 },
}
const USUAL_GROUP_SIZE: GroupSize = { seconds: 75, files: 20 }

/** The work of these parts; files of other folders than the given ones are left out. */
export function jobsOf(parts: readonly Part[], folder: string, known: Durations, within: readonly string[]): Job[] {
  const files = testFiles(folder).filter((file) => within.length === 0 || within.some((path) => file.startsWith(path)))
  const estimate = (file: string) => known[file]?.wall ?? guess(file, statSync(join(folder, file)).size)
  // Tests read what the build writes.
  const built = parts.includes('build') ? [BUILD] : []
  const jobs: Job[] = []
  for (const part of parts) {
    if (part === 'check') for (const name of CHECKS) jobs.push(command(part, name, known))
    else if (part === 'build') jobs.push(command(part, BUILD, known))
    else {
      const own = files.filter((file) => partOf(file) === part)
      const setup = own.length > 0 ? SETUPS[part] : undefined
      if (setup) jobs.push({ kind: 'setup', part, name: `set up ${part}`, estimate: 0, waitsFor: [], file: setup })
      const waitsFor = [...built, ...(setup ? [`set up ${part}`] : [])]
      for (const group of groupsOf(own, estimate, GROUP_SIZES[part])) {
        const name = group.length === 1 ? group[0]! : `${commonFolder(group)} (${group.length} files)`
        const sum = group.reduce((seconds, file) => seconds + estimate(file), 0)
        jobs.push({ kind: 'test', part, name, files: group, estimate: sum, waitsFor })
      }
    }
  }
  return jobs
}

function command(part: Part, name: string, known: Durations): Job {
  return { kind: 'command', part, name, estimate: known[name]?.wall ?? 0, waitsFor: [] }
}

/** Every test file below `folder`, sorted. */
export function testFiles(folder: string): string[] {
  return globSync('test/**/*.test.ts', { cwd: folder }).sort()
}

export function partOf(file: string): Part {
  if (file.startsWith('test/browser/')) return 'browser'
  return file.endsWith('.slow.test.ts') ? 'slow' : 'fast'
}

/**
 * Puts files that are next to each other into groups of about equal work, so that none is left
 * alone at the end. Neighbours load the same modules, which a group loads once.
 */
export function groupsOf(
  files: readonly string[],
  estimate: (file: string) => number,
  size = USUAL_GROUP_SIZE,
): string[][] {
  const shared = files.filter((file) => !ALONE.includes(file))
  const total = shared.reduce((seconds, file) => seconds + estimate(file), 0)
  const count = Math.max(Math.ceil(total / size.seconds), Math.ceil(shared.length / size.files))
  let before = 0
  const groups = Map.groupBy(shared, (file) => {
    const middle = before + estimate(file) / 2
    before += estimate(file)
    return Math.floor((middle / total) * count)
  })
  return [...files.filter((file) => ALONE.includes(file)).map((file) => [file]), ...groups.values()]
}

/** Seconds of a file that was never measured here. */
function guess(file: string, bytes: number): number {
  return (bytes / 1000) * { fast: 0.1, slow: 0.5, browser: 1.5, check: 0, build: 0 }[partOf(file)]
}

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0]!)
  while (!files.every((file) => file.startsWith(`${folder}/`))) folder = dirname(folder)
  return folder
}

/** Shorter files hardly change the order of a run. */
const PUBLISHED_SECONDS = 3

/**
 * The table of durations as it is published, in whole seconds: what was measured in place of what
 * was published before. A run is never like another: a duration that has changed by less than a
 * third stays, so that a new table differs by what has become slow or fast.
 */
export function publishedDurations(before: Durations, measured: Durations, isThere: (name: string) => boolean): string {
  const isSame = (old: number, now: number) => Math.abs(old - now) <= Math.max(1, old / 3)
  const lines = Object.entries({ ...before, ...measured }).flatMap(([name, { wall, cpu }]) => {
    if (!isThere(name) || wall < PUBLISHED_SECONDS) return []
    const old = before[name]
    const one = old && isSame(old.wall, wall) && isSame(old.cpu, cpu) ? old : { wall, cpu }
    return [`  ${JSON.stringify(name)}: { "wall": ${Math.round(one.wall)}, "cpu": ${Math.round(one.cpu)} }`]
  })
  return `{\n${lines.sort().join(',\n')}\n}\n`
}
