import { AssertionError } from 'node:assert'
import { readFileSync } from 'node:fs'
import { before, describe } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

/** The processor time when a file began, whose predecessor has then ended. */
const starts: { readonly file: string; readonly used: number }[] = []

/**
 * A process of test files, and its reporter: `node --test-reporter=test-process.ts
 * test-process.ts FILE…`. Files run one after the other, each as a suite of its own: hooks at the
 * top of a file count for that file, and one that cannot be loaded fails alone.
 */
if (import.meta.main)
  for (const file of process.argv.slice(2))
    describe(file, () => {
      before(() => {
        starts.push({ file, used: processorTime() })
      })
      return import(pathToFileURL(file).href)
    })

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
    if (type === 'test:start') names.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
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
      const used = [...starts.map((start) => start.used), processorTime()]
      for (const [index, { file }] of starts.entries())
        yield write({ type: 'file', file, wall: walls.get(file)!, cpu: used[index + 1]! - used[index]! })
      yield write({ type: 'end', tests: data.counts.tests, loading: used[0]! })
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
  return `✖ ${names.join(' > ')}\n  at ${place.file}:${place.line}:${place.column}\n${text.replace(/^/gm, '    ')}`
}

const TICKS_PER_SECOND = 100

/**
 * Seconds that this process and its ended children have used of a processor; where there is no
 * `/proc`, this process alone.
 */
export function processorTime(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The name of the program, in parentheses, may contain spaces; 14 to 17 are the times.
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
    return times.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}
