import type { RecordedRun } from './recorded-run.ts'
import { cellsOf, HEADINGS, type NamedResult, remarksOf } from './results-table.ts'
import { sabotageRows } from './sabotage/sabotage-table.ts'
import { isNoticedCheck } from './sabotage/summary.ts'
import { outcomeOf } from './scenario.ts'

/** Returns the text of RESULTS.md: the last recorded run of every scenario. */
export function resultsPage(runs: readonly RecordedRun[]): string {
  const results = runs.flatMap(({ scenario, results: all }) => all.map((result): NamedResult => [scenario, result]))
  return `${[
    '# Results',
    'Written by `npm run resilience`, not by hand. [docs/faults.md](../docs/faults.md) describes each fault and its effect on users.',
    summaryOf(results),
    '## Runs',
    runsTable(runs),
    '## Counts',
    HOW_TO_READ,
    countsTable(results),
    '## Checks',
    checksTable(results),
    ...sabotageSection(runs),
  ].join('\n\n')}\n`
}

const HOW_TO_READ = [
  '**Lost** counts events that no endpoint accepted, **sent again** the attempts after the first (most endpoints that fail do so on purpose),',
  '**after success** those that came although the endpoint had accepted the message (the service was killed before it could record that),',
  '**cancelled** the deliveries of incidents that were retracted before an endpoint accepted them. **False** counts messages whose signature,',
  'content, event kind or watch differs from what the desk acknowledged, **outdated** those that were no longer true when they were sent,',
  '**wrong reads** the differences between the log and the stream, the changes, the lists, single incidents and statistics.',
].join('\n')

function summaryOf(results: readonly NamedResult[]): string {
  const count = (outcome: string) => results.filter(([, result]) => outcomeOf(result) === outcome).length
  const [failed, notRun] = [count('FAILED'), count('NOT RUN')]
  if (failed === 0 && notRun === 0) return '**All scenarios passed.**'
  return `**Of ${results.length} rows, ${failed} failed and ${notRun} could not run here.**`
}

function runsTable(runs: readonly RecordedRun[]): string {
  const rows = runs.map(({ scenario, commit, date, minutes, machine, results }) => {
    const outcomes = [...new Set(results.map(outcomeOf))].join(', ')
    return [scenario, date, commit, minutes.toFixed(1), machine, outcomes]
  })
  const headings = ['scenario', 'date', 'commit', 'minutes', 'machine', 'result']
  return [headings, Array(headings.length).fill('---'), ...rows].map(rowOf).join('\n')
}

function countsTable(results: readonly NamedResult[]): string {
  const rule = HEADINGS.map((_, column) => (column < 2 ? '---' : '---:'))
  return [HEADINGS, rule, ...results.map(cellsOf)].map(rowOf).join('\n')
}

function checksTable(results: readonly NamedResult[]): string {
  const rows = results.flatMap(([scenario, result]) => [
    ...result.checks
      .filter((check) => !isNoticedCheck(check))
      .map(({ name, passed, observed }) => {
        return [scenario, result.setup, name, observed, passed ? 'passed' : '**FAILED**']
      }),
    ...remarksOf(result).map((remark) => [scenario, result.setup, 'remark', remark, outcomeOf(result)]),
  ])
  return [['scenario', 'setup', 'check', 'observed', 'result'], Array(5).fill('---'), ...rows].map(rowOf).join('\n')
}

/** Of each defect in one place; it would fill the table of checks. */
function sabotageSection(runs: readonly RecordedRun[]): readonly string[] {
  const rows = sabotageRows(runs)
  return rows.length === 0 ? [] : ['## Sabotages', rows.map(rowOf).join('\n')]
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
