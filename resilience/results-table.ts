import type { Counts } from './harness/counts.ts'
import { MUST_BE_ZERO, outcomeOf, type ScenarioResult } from './scenario.ts'

export type NamedResult = readonly [scenario: string, result: ScenarioResult]

const COUNTS: readonly (readonly [Exclude<keyof Counts, 'examples'>, string])[] = [
  ['reports', 'reports'],
  ['reportsLost', 'reports lost'],
  ['reportsDoubled', 'reports doubled'],
  ['confirmed', 'confirmed'],
  ['corrected', 'corrected'],
  ['retracted', 'retracted'],
  ['missingFromLog', 'missing from the log'],
  ['expected', 'expected'],
  ['delivered', 'delivered'],
  ['cancelled', 'cancelled'],
  ['duplicated', 'sent again'],
  ['repeated', 'after success'],
  ['lost', 'lost'],
  ['outOfOrder', 'out of order'],
  ['idChanged', 'id changed'],
  ['unexpected', 'unexpected'],
  ['falseMessages', 'false'],
  ['outdated', 'outdated'],
  ['wrongReads', 'wrong reads'],
]

export const HEADINGS: readonly string[] = [
  'scenario',
  'setup',
  'times',
  ...COUNTS.map(([, heading]) => heading),
  'result',
]

export function cellsOf([scenario, result]: NamedResult): string[] {
  return [
    scenario,
    result.setup,
    String(result.times),
    ...COUNTS.map(([count]) => (result.counts === null ? '–' : String(result.counts[count]))),
    outcomeOf(result),
  ]
}

/** Returns a table with one line for each result, followed by one line for each check. */
export function formatTable(results: readonly NamedResult[]): string {
  const lines = [HEADINGS, ...results.map(cellsOf)]
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const table = lines.map((line) =>
    line
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  )
  const checks = results.flatMap(([scenario, result]) => [
    ...result.checks.map(
      ({ name, passed, observed }) =>
        `${passed ? 'passed' : 'FAILED'}  ${scenario}, ${result.setup}: ${name}: ${observed}`,
    ),
    ...remarksOf(result).map((remark) => `        ${scenario}, ${result.setup}: ${remark}`),
  ])
  return [...table, ...(checks.length > 0 ? ['', ...checks] : [])].join('\n')
}

/** Why a scenario did not run, or which counts are not 0 but must be, with examples. */
export function remarksOf({ notRun, counts }: ScenarioResult): readonly string[] {
  if (notRun !== undefined) return [`NOT RUN: ${notRun}`]
  if (counts === null) return []
  const wrong = COUNTS.filter(([count]) => (MUST_BE_ZERO as readonly string[]).includes(count) && counts[count] > 0)
  const sentence = wrong.map(([count, heading]) => `${counts[count]} ${heading}`).join(', ')
  return [...(wrong.length > 0 ? [`must be 0: ${sentence}`] : []), ...counts.examples]
}
