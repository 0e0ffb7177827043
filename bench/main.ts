/**
 * Runs the suites and prints one table; exits with code 1 if a row misses its limit. A run of all
 * suites writes bench/RESULTS.md.
 *
 *   npm run bench                      all suites
 *   npm run bench -- listing archive   the named suites only; RESULTS.md stays unchanged
 *   npm run bench -- --write listing   one suite; RESULTS.md combines it with the last results of
 *                                      the others
 *   npm run bench -- --json            prints the rows as JSON as well
 *   npm run bench -- --against main~5  processor time of this checkout beside that of a commit
 *       [--incidents 100000]           (1,000,000 unless told)
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareWith } from './against/against.ts'
import { MILLION } from './harness/data.ts'
import { loadText, readEnvironment } from './harness/environment.ts'
import { loadRecord, type SuiteRecord, saveRecord } from './harness/records.ts'
import { resultsPage } from './harness/results-page.ts'
import type { Row } from './harness/row.ts'
import { SUITE_NAMES, type SuiteName } from './suites.ts'

const RESULTS = new URL('RESULTS.md', import.meta.url)

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean' },
    write: { type: 'boolean' },
    against: { type: 'string' },
    incidents: { type: 'string' },
  },
  allowPositionals: true,
})
if (values.against !== undefined) {
  const incidents = Number(values.incidents ?? MILLION)
  if (!Number.isInteger(incidents) || incidents < 1)
    throw new Error(`--incidents takes a number, not ${values.incidents}`)
  await compareWith(values.against, incidents)
  process.exit()
}
const unknown = positionals.filter((name) => !(SUITE_NAMES as string[]).includes(name))
if (unknown.length > 0) throw new Error(`unknown suite ${unknown.join(', ')}; the suites are ${SUITE_NAMES.join(', ')}`)

const selected = positionals.length > 0 ? (positionals as SuiteName[]) : SUITE_NAMES
// Read before the first suite: afterwards the load average includes the suites themselves.
const environment = readEnvironment()
const records: SuiteRecord[] = []
for (const suite of selected) {
  console.error(`${suite} …`)
  records.push({ suite, at: new Date().toISOString(), ...environment, rows: await rowsOf(suite) })
  saveRecord(records.at(-1)!)
}
const rows = records.flatMap((record) => record.rows)
printTable(rows)
console.log(`${environment.machine}; commit ${environment.commit}; ${loadText(environment.load)}`)
if (values.write || selected.length === SUITE_NAMES.length) {
  writeFileSync(RESULTS, resultsPage(SUITE_NAMES.flatMap((suite) => loadRecord(suite) ?? [])))
  console.log(`wrote ${fileURLToPath(RESULTS)}`)
}
if (values.json) console.log(JSON.stringify(records, null, 2))
process.exitCode = rows.every((row) => row.ok) ? 0 : 1

/** Runs a suite in a separate process, so that its memory does not slow the next suite. */
async function rowsOf(suite: SuiteName): Promise<Row[]> {
  const child = fork(fileURLToPath(new URL('harness/run-suite.ts', import.meta.url)), [
    new URL(`suites/${suite}.ts`, import.meta.url).href,
  ])
  let rows: Row[] | null = null
  child.once('message', (message: Row[]) => {
    rows = message
  })
  const [code] = await once(child, 'exit')
  return rows ?? [{ name: `${suite}: all`, value: `failed with ${code}`, limit: '–', ok: false }]
}

function printTable(rows: readonly Row[]): void {
  const cells = rows.map(({ name, limit, ok, value, peer }) => [
    name,
    limit,
    ok ? 'ok' : 'MISSED',
    peer === undefined ? value : `${value}; ${peer}`,
  ])
  const table = [['name', 'limit', '', 'value'], ...cells]
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((line) => line[column]!.length)))
  for (const line of table) console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}
