import { AssertionError } from 'node:assert'
import asyncHooks from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { readdirSync, readFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

/** The processor time when a file began, and when its tests had ended. */
const starts: { readonly file: string; readonly used: number }[] = []
const ends = new Map<string, number>()
/** The name of the test that was last begun, after those of its suites. */
const running: string[] = []
/** Descriptions of errors that nobody has caught. */
const uncaught: string[] = []

/**
 * A process of test files, and its reporter: `node --test-reporter=test-process.ts
 * test-process.ts FILE…`. Files run one after the other, each as a suite of its own: hooks at the
 * top of a file count for that file, and one that cannot be loaded fails alone.
 */
if (import.meta.main) {
  const { after, before, describe, stopFollowing } = await importRunner()
  const files = process.argv.slice(2)
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => {
      uncaught.push(
        `✖ ${running.join(' > ')}\n${indent(`${event}, of this test or one before: ${inspect(error, { depth: 8 })}`)}`,
      )
    })
  for (const file of files)
    describe(file, () => {
      before(() => {
        stopFollowing()
        starts.push({ file, used: processorTimeOfTree() })
      })
      // Files that follow one another share a browser, which would keep the process open.
      after(() => {
        ends.set(file, processorTimeOfTree())
        if (file === files.at(-1)) channel('test-files-ended').publish(null)
      })
      return import(pathToFileURL(file).href)
    })
}

/**
 * The runner of Node follows every promise, to know which suite a test belongs to while files are
 * loaded, and which test an error comes from that nobody catches. The first is over before the
 * first test runs. The second takes most of the time of a test with many promises; without it such
 * an error still fails the process, and is reported with the test that runs at that time.
 */
async function importRunner() {
  const { createHook } = asyncHooks
  let stopFollowing = () => {}
  asyncHooks.createHook = (callbacks) => {
    const hook = createHook(callbacks)
    stopFollowing = () => hook.disable()
    return hook
  }
  const { after, before, describe } = await import('node:test')
  asyncHooks.createHook = createHook
  return { after, before, describe, stopFollowing: () => stopFollowing() }
}

/** A line of the report. A process that a test has ended does not come to `end`. */
export type Line =
  | { readonly type: 'file'; readonly file: string; readonly wall: number; readonly cpu: number }
  | { readonly type: 'failure'; readonly text: string }
  | { readonly type: 'skipped'; readonly test: string; readonly reason: string }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'end'; readonly tests: number; readonly loading: number }

const COUNT = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /

/** Writes `Line`s as JSON. Times are in seconds. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const write = (line: Line) => `${JSON.stringify(line)}\n`
  const names: string[] = []
  const walls = new Map<string, number>()
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') running.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
    else if (type === 'test:start') names.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
    else if (type === 'test:complete' && data.nesting === 0) walls.set(data.name, data.details.duration_ms / 1000)
    else if (type === 'test:fail') {
      const { error } = data.details
      const isOwn = (error as { failureType?: string }).failureType !== 'subtestsFailed'
      if (isOwn && data.todo === undefined) yield write({ type: 'failure', text: failureText(names, data, error) })
    } else if (type === 'test:pass' && (data.skip ?? data.todo) !== undefined)
      yield write({ type: 'skipped', test: names.join(' > '), reason: String(data.skip ?? data.todo) })
    else if (type === 'test:diagnostic' && !(data.nesting === 0 && COUNT.test(data.message)))
      yield write({ type: 'note', text: data.message })
    else if (type === 'test:summary') {
      for (const text of uncaught) yield write({ type: 'failure', text })
      for (const { file, used } of starts)
        yield write({ type: 'file', file, wall: walls.get(file)!, cpu: (ends.get(file) ?? used) - used })
      yield write({ type: 'end', tests: data.counts.tests, loading: starts[0]?.used ?? processorTime() })
    }
  }
}

function failureText(
  names: readonly string[],
  place: { readonly file?: string; readonly line?: number; readonly column?: number },
  error: Error,
): string {
  const reason = error.cause ?? error
  // The message of an assertion has what it compared.
  const text = reason instanceof AssertionError ? reason.stack! : inspect(reason, { depth: 8 })
  return `✖ ${names.join(' > ')}\n  at ${place.file}:${place.line}:${place.column}\n${indent(text)}`
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ')
}

const TICKS_PER_SECOND = 100

/**
 * Seconds that this process and its ended children have used of a processor; where there is no
 * `/proc`, this process alone.
 */
export function processorTime(): number {
  const own = readProcess('self')
  if (own !== null) return own.seconds
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/**
 * `processorTime` with everything below this process that has not ended. A browser ends its own
 * processes without waiting for them: what they have used is known only while it runs.
 */
function processorTimeOfTree(): number {
  const all = new Map(processIds().map((id) => [id, readProcess(id)]))
  const isBelow = (id: number): boolean => {
    const parent = all.get(id)?.parent ?? 0
    return parent === process.pid || (parent > 1 && isBelow(parent))
  }
  const below = [...all].flatMap(([id, found]) => (found !== null && isBelow(id) ? [found.seconds] : []))
  return below.reduce((sum, seconds) => sum + seconds, processorTime())
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Null if there is no such process, or no `/proc`. */
function readProcess(id: number | 'self'): { readonly parent: number; readonly seconds: number } | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    // The name of the program, in parentheses, may contain spaces; the parent is field 4, and 14 to
    // 17 are the times.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND }
  } catch {
    return null
  }
}
