import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { RecordedRun } from './recorded-run.ts'
import { resultsPage } from './results-page.ts'
import type { Scenario } from './scenario.ts'

const RUNS = new URL('results.ndjson', import.meta.url)
const PAGE = new URL('RESULTS.md', import.meta.url)

/**
 * Replaces the run of the scenario in results.ndjson and writes RESULTS.md again, so that a long
 * scenario can be run and recorded on its own.
 */
export async function recordRun(run: RecordedRun, order: readonly string[]): Promise<void> {
  const runs = withRun(readRuns(), run, order)
  await writeFile(RUNS, `${runs.map((one) => JSON.stringify(one)).join('\n')}\n`)
  await writeFile(PAGE, resultsPage(runs))
}

/** Scenarios that no longer exist are left out. */
export function withRun(
  runs: readonly RecordedRun[],
  run: RecordedRun,
  order: readonly string[],
): readonly RecordedRun[] {
  const byName = new Map([...runs, run].map((one) => [one.scenario, one]))
  return order.flatMap((name) => byName.get(name) ?? [])
}

/** Adds a part of a scenario, with what `merge` makes of both results. */
export function withPart(
  earlier: RecordedRun | undefined,
  part: RecordedRun,
  merge: NonNullable<Scenario['merge']>,
): RecordedRun {
  const results = merge(earlier?.results ?? [], part.results)
  if (earlier === undefined) return { ...part, results }
  const commits = new Set([...earlier.commit.split(', '), part.commit])
  return { ...part, results, commit: [...commits].join(', '), minutes: earlier.minutes + part.minutes }
}

export function readRuns(): RecordedRun[] {
  if (!existsSync(RUNS)) return []
  const lines = readFileSync(RUNS, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as RecordedRun)
}
