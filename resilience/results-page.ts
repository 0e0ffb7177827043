import { cellsOf, HEADINGS, type NamedResult } from './results-table.ts'
import { hasPassed } from './scenario.ts'

export interface RunDetails {
  readonly machine: string
  readonly commit: string
  readonly minutes: number
}

/** Returns the text of RESULTS.md: the delivery counts and the checks of every scenario. */
export function resultsPage(results: readonly NamedResult[], { machine, commit, minutes }: RunDetails): string {
  const failed = results.filter(([, result]) => !hasPassed(result)).length
  const summary = failed === 0 ? '**All scenarios passed.**' : `**${failed} of ${results.length} rows failed.**`
  return `${[
    '# Results',
    'Written by `npm run resilience`, not by hand. [docs/faults.md](../docs/faults.md) describes each fault and its effect on users.',
    `${machine}. Commit ${commit}; ${minutes.toFixed(1)} minutes.`,
    summary,
    '## Deliveries',
    countsTable(results),
    '## Checks',
    checksTable(results),
  ].join('\n\n')}\n`
}

function countsTable(results: readonly NamedResult[]): string {
  const rule = HEADINGS.map((_, column) => (column < 2 ? '---' : '---:'))
  return [HEADINGS, rule, ...results.map(cellsOf)].map(rowOf).join('\n')
}

function checksTable(results: readonly NamedResult[]): string {
  const rows = results.flatMap(([scenario, { setup, checks }]) =>
    checks.map(({ name, passed, observed }) => [scenario, setup, name, observed, passed ? 'passed' : '**FAILED**']),
  )
  return [['scenario', 'setup', 'check', 'observed', 'result'], Array(5).fill('---'), ...rows].map(rowOf).join('\n')
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
