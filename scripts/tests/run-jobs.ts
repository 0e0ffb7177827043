import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Duration, Job, Part } from './jobs.ts'
import { type Line, processorTime } from './test-process.ts'

export interface Result {
  readonly job: Job
  /** Empty if it succeeded. */
  readonly failures: readonly string[]
  readonly lines: readonly Line[]
  /** Seconds since the run began. */
  readonly ended: number
  readonly took: Duration
}

export interface RunOptions {
  /** Of the project. */
  readonly folder: string
  readonly workers: number
  /** Further arguments of the processes of tests. */
  readonly options?: readonly string[]
  readonly onResult?: (result: Result, left: number) => void
}

/** Parts that take a whole processor: drawing pages, checking types. */
const AT_ONCE: Readonly<Partial<Record<Part, number>>> = { check: 1, browser: 2 }
/** Tests wait for the build; parts that may not have all processors must not be left to the end. */
const ORDER: Readonly<Record<Part, number>> = { build: 1, check: 2, browser: 3, slow: 4, fast: 4 }
/**
 * A test takes much less, even on a machine of which others use nine tenths; a process that is not
 * at its end by then has something open.
 */
const TEST_TIMEOUT = 900_000
const PROCESS_TIMEOUT = 1_500_000

/**
 * Does all jobs, several at once: the longest first, a job after those that it waits for. If a
 * process does not come to its end, since a test has ended or crashed it, that is a failure, and
 * its files run again, each alone: the results of the neighbours are not lost.
 */
export async function runJobs(jobs: readonly Job[], options: RunOptions): Promise<Result[]> {
  const rank = ({ kind, part }: Job) => (kind === 'setup' ? 0 : ORDER[part])
  const waiting = jobs.toSorted((a, b) => rank(a) - rank(b) || b.estimate - a.estimate)
  const results: Result[] = []
  const running = new Map<Job, Promise<void>>()
  const teardowns: (() => Promise<void>)[] = []
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  let isInterrupted = false
  // The terminal sends Ctrl-C to all processes: those of tests end, and then this one.
  const interrupt = () => {
    isInterrupted = true
  }
  process.on('SIGINT', interrupt)

  const finish = (result: Result) => {
    results.push(result)
    options.onResult?.(result, waiting.length + running.size)
  }
  const run = async (job: Job) => {
    const from = seconds()
    const outcome = await perform(job, options, teardowns)
    running.delete(job)
    if (outcome.isCutShort && job.kind === 'test' && job.files.length > 1 && !isInterrupted)
      for (const file of job.files) waiting.push({ ...job, name: `${file} (again, alone)`, files: [file] })
    const took = { wall: seconds() - from, cpu: outcome.cpu }
    finish({ job, failures: outcome.failures, lines: outcome.lines, ended: seconds(), took })
  }
  const stateOf = (job: Job): 'ready' | 'waits' | string => {
    for (const name of job.waitsFor) {
      const done = results.find((result) => result.job.name === name)
      if (done === undefined) return 'waits'
      if (done.failures.length > 0) return `not run: “${name}” failed`
    }
    const atOnce = [...running.keys()].filter(({ part, kind }) => part === job.part && kind === job.kind).length
    return running.size < options.workers && atOnce < (AT_ONCE[job.part] ?? options.workers) ? 'ready' : 'waits'
  }

  try {
    while (waiting.length + running.size > 0) {
      for (const job of [...waiting]) {
        const state = isInterrupted ? 'not run: the run was interrupted' : stateOf(job)
        if (state === 'waits') continue
        waiting.splice(waiting.indexOf(job), 1)
        if (state === 'ready') running.set(job, run(job))
        else
          finish({
            job,
            failures: [`✖ ${job.name}\n  ${state}`],
            lines: [],
            ended: seconds(),
            took: { wall: 0, cpu: 0 },
          })
      }
      if (running.size > 0) await Promise.race(running.values())
    }
  } finally {
    process.off('SIGINT', interrupt)
    for (const teardown of teardowns) await teardown()
  }
  return results
}

interface Outcome {
  readonly failures: readonly string[]
  readonly lines: readonly Line[]
  readonly cpu: number
  readonly isCutShort?: boolean
}

async function perform(
  job: Job,
  { folder, options = [] }: RunOptions,
  teardowns: (() => Promise<void>)[],
): Promise<Outcome> {
  try {
    if (job.kind === 'setup') return await setUp(join(folder, job.file), teardowns)
    if (job.kind === 'test') return await runTests(job.files, job.part, folder, options)
    const { code, output, cpu } = await runProgram(job.name, [], folder, {}, true)
    return { failures: code === 0 ? [] : [`✖ ${job.name}\n${output}`], lines: [], cpu }
  } catch (error) {
    return { failures: [`✖ ${job.name}\n${(error as Error).stack}`], lines: [], cpu: 0 }
  }
}

async function setUp(file: string, teardowns: (() => Promise<void>)[]): Promise<Outcome> {
  const setup = (await import(pathToFileURL(file).href)) as {
    globalSetup(): Promise<void>
    globalTeardown?(): Promise<void>
  }
  teardowns.push(async () => setup.globalTeardown?.())
  await setup.globalSetup()
  return { failures: [], lines: [], cpu: children.sinceLast() }
}

async function runTests(
  files: readonly string[],
  part: Part,
  folder: string,
  options: readonly string[],
): Promise<Outcome> {
  const report = join(mkdtempSync(join(tmpdir(), 'incident-feed-tests-')), 'report')
  const process_ = join(import.meta.dirname, 'test-process.ts')
  const words = [
    `--test-timeout=${TEST_TIMEOUT}`,
    `--test-reporter=${process_}`,
    `--test-reporter-destination=${report}`,
  ]
  // A fast test that uses a slow part fails in every run.
  const tier = part === 'fast' && process.env.TEST_TIER === undefined ? { TEST_TIER: 'fast' } : {}
  const environment = { NODE_COMPILE_CACHE: join(folder, 'node_modules/.cache/compile'), ...tier }
  try {
    const { code, output, cpu } = await runProgram(
      process.execPath,
      [...words, ...options, process_, ...files],
      folder,
      environment,
    )
    const text = existsSync(report) ? readFileSync(report, 'utf8') : ''
    const lines = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
    const failures = lines.flatMap((line) => (line.type === 'failure' ? [line.text] : []))
    const isCutShort = !lines.some(({ type }) => type === 'end')
    const used = lines.reduce(
      (sum, line) => sum + (line.type === 'file' ? line.cpu : line.type === 'end' ? line.loading : 0),
      0,
    )
    if (isCutShort)
      failures.push(`✖ a test ended its process (${code}), or it did not end:\n${files.join('\n')}\n${output}`)
    else if (code !== 0 && failures.length === 0) failures.push(`✖ exit code ${code}:\n${files.join('\n')}\n${output}`)
    else if (failures.length > 0 && output !== '') failures.push(`Output of ${files.join(' ')}:\n${output}`)
    return { failures, lines, cpu: Math.max(cpu, used), isCutShort }
  } finally {
    rmSync(join(report, '..'), { recursive: true, force: true })
  }
}

/** The processor time of a child is what that of all ended ones has grown by when it ends. */
const children = {
  counted: 0,
  used() {
    const { user, system } = process.cpuUsage()
    return Math.max(processorTime() - (user + system) / 1e6, 0)
  },
  sinceLast() {
    const used = this.used()
    const more = used - this.counted
    this.counted = used
    return more
  },
}

async function runProgram(
  program: string,
  words: readonly string[],
  folder: string,
  environment: NodeJS.ProcessEnv,
  shell = false,
): Promise<{ code: number | string; output: string; cpu: number }> {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const PATH = [join(folder, 'node_modules/.bin'), inherited.PATH].join(delimiter)
  const env = { ...inherited, PATH, ...environment }
  const child = spawn(program, words, {
    cwd: folder,
    env,
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PROCESS_TIMEOUT,
    killSignal: 'SIGKILL',
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => output.push(text))
  const closed = once(child, 'close')
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  const cpu = children.sinceLast()
  // A process that a test has left behind keeps the pipes open.
  await Promise.race([closed, setTimeout(1000)])
  return { code: code ?? signal!, output: output.join(''), cpu }
}
