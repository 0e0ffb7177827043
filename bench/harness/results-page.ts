import { SUITE_NAMES, SUITES } from '../suites.ts'
import { loadText } from './environment.ts'
import type { SuiteRecord } from './records.ts'
import type { Row } from './row.ts'

const NO_LIMIT = '–'

/** Returns the text of RESULTS.md: the figures of every suite with their limits and comparisons. */
export function resultsPage(records: readonly SuiteRecord[]): string {
  const parts = ['# Results', INTRODUCTION, ...runs(records), ...notMeasured(records), verdict(records)]
  return `${[...parts, ...records.map(section)].join('\n\n')}\n`
}

const INTRODUCTION = `Written by \`npm run bench\`, not by hand. The comment at the top of a suite's file describes it. “Beside it” is a
comparison from the same run. A limit was set before the figure was measured; a row without a limit is informational.
Servers are compared by the processor time of an answer, with rounds in turn: a rate depends on the load generator, which fills
the other core, and on what else runs on the machine. A limit in seconds or megabytes holds only where nothing else runs.`

function verdict(records: readonly SuiteRecord[]): string {
  const limited = records.flatMap(({ rows }) => rows).filter(({ limit, ok }) => limit !== NO_LIMIT || !ok)
  const missed = limited.filter(({ ok }) => !ok)
  const lines = missed.map(
    ({ name, value, limit }) => `- ${name}: ${value}${limit === NO_LIMIT ? '' : `, not ${limit}`}`,
  )
  const held = `**${limited.length - missed.length} of ${limited.length} limits hold.**`
  return missed.length === 0 ? held : `${held} Missed:\n\n${lines.join('\n')}`
}

/** Describes the conditions, by suite if suites were run separately. */
function runs(records: readonly SuiteRecord[]): string[] {
  const byRun = Map.groupBy(records, ({ machine, commit, load }) => `${machine}. Commit ${commit}; ${loadText(load)}.`)
  if (byRun.size === 1) return [...byRun.keys()]
  return [[...byRun].map(([text, of]) => `- ${of.map(({ suite }) => suite).join(', ')}: ${text}`).join('\n')]
}

function notMeasured(records: readonly SuiteRecord[]): string[] {
  const missing = SUITE_NAMES.filter((name) => !records.some(({ suite }) => suite === name))
  return missing.length === 0 ? [] : [`**Not measured:** ${missing.join(', ')}.`]
}

function section({ suite, rows, at }: SuiteRecord): string {
  const table = [
    '| what | measured | limit | beside it | |',
    '|---|---|---|---|---|',
    ...rows.map((row) => lineOf(row, suite)),
  ]
  const source = `[${suite}](suites/${suite}.ts), ${at.slice(0, 16).replace('T', ' ')} UTC`
  return [`## ${SUITES[suite]}`, source, table.join('\n')].join('\n\n')
}

function lineOf({ name, value, limit, peer, ok }: Row, suite: string): string {
  const what = name.startsWith(`${suite}: `) ? name.slice(suite.length + 2) : name
  const outcome = ok ? (limit === NO_LIMIT ? '' : 'ok') : '**MISSED**'
  const cells = [what, strongFigure(value), limit === NO_LIMIT ? '' : limit, peer ?? '', outcome]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** Prints the figure in bold, before its explanation. */
function strongFigure(value: string): string {
  const [figure, ...details] = value.split(' (')
  return [`**${figure}**`, ...details].join(' (')
}
