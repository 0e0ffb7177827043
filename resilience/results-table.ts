import type { Counts } from './harness/harness.ts'
import { hasPassed, type ScenarioResult } from './scenario.ts'

export type NamedResult = readonly [scenario: string, result: ScenarioResult]

const COUNTS: readonly (readonly [keyof Counts, string])[] = [
  ['confirmed', 'confirmed'],
  ['expected', 'expected'],
  ['delivered', 'delivered'],
  ['duplicated', 'duplicated'],
  ['lost', 'lost'],
  ['outOfOrder', 'out of order'],
  ['idChanged', 'id changed'],
  ['unexpected', 'unexpected'],
  ['missingFromLog', 'missing from the log'],
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
    hasPassed(result) ? 'passed' : 'FAILED',
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
  const checks = results.flatMap(([scenario, { setup, checks }]) =>
    checks.map(
      ({ name, passed, observed }) => `${passed ? 'passed' : 'FAILED'}  ${scenario}, ${setup}: ${name}: ${observed}`,
    ),
  )
  return [...table, ...(checks.length > 0 ? ['', ...checks] : [])].join('\n')
}
