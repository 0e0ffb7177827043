/**
 * Runs the suites and prints one table; ends with 1 where a row misses its limit.
 *
 *   npm run bench                       every suite
 *   npm run bench -- listing archive    these only
 *   npm run bench -- --json             the rows as JSON as well
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Row } from './row.ts'

const SUITES: Readonly<Record<string, URL>> = {
  listing: new URL('listing.ts', import.meta.url),
  peer: new URL('peer.ts', import.meta.url),
  archive: new URL('archive.ts', import.meta.url),
  downloads: new URL('downloads.ts', import.meta.url),
  startup: new URL('startup.ts', import.meta.url),
  geo: new URL('geo.ts', import.meta.url),
  matching: new URL('matching.ts', import.meta.url),
  sending: new URL('sending.ts', import.meta.url),
  deliveries: new URL('deliveries.ts', import.meta.url),
  streams: new URL('streams.ts', import.meta.url),
  import: new URL('import.ts', import.meta.url),
  tiles: new URL('tiles.ts', import.meta.url),
  map: new URL('map.ts', import.meta.url),
}

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true })
const unknown = positionals.filter((name) => !Object.hasOwn(SUITES, name))
if (unknown.length > 0) throw new Error(`no suite ${unknown.join(', ')}; these are: ${Object.keys(SUITES).join(', ')}`)

const load = loadavg()[0]!
const rows: Row[] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(SUITES)) {
  console.error(`${name} …`)
  rows.push(...(await rowsOf(name)))
}
printTable(rows)
console.log(`${availableParallelism()} cores, load average ${load.toFixed(1)} before the first suite${noise(load)}`)
if (values.json) console.log(JSON.stringify(rows, null, 2))
process.exitCode = rows.every((row) => row.ok) ? 0 : 1

/** In a process of its own: what one suite leaves in memory must not slow the next one down. */
async function rowsOf(name: string): Promise<Row[]> {
  const child = fork(fileURLToPath(new URL('suite.ts', import.meta.url)), [SUITES[name]!.href])
  let rows: Row[] | null = null
  child.once('message', (message: Row[]) => {
    rows = message
  })
  const [code] = await once(child, 'exit')
  return rows ?? [{ name, value: `failed with ${code}`, limit: '–', ok: false }]
}

function printTable(rows: readonly Row[]): void {
  const cells = rows.map(({ name, limit, ok, value }) => [name, limit, ok ? 'ok' : 'MISSED', value])
  const table = [['name', 'limit', '', 'value'], ...cells]
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((line) => line[column]!.length)))
  for (const line of table) console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}

/** Whoever shares the cores also shares the figures. */
function noise(load: number): string {
  return load > 0.5 ? ': others were working, so times are too long and p99 is theirs as much as ours' : ''
}
