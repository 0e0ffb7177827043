/**
 * Measures `incident-feed import ndjson` of 1,000,000 documents into an empty database, in this
 * process: documents are read, checked, located, written and marked in transactions of 1,000, as
 * the command does it. The figure is rows per second over the whole file, the best of the runs,
 * with all of them beside it. SQLite commits to the disk (synchronous=FULL). PostgreSQL is the
 * server of the tests, on the same cores, and does not wait for the disk (fsync=off): its figure is
 * the work of the two processes. Memory is that of this process, with the thread of SQLite, at
 * 100,000 rows and at the end: a stream uses the same amount at both.
 *
 * IMPORT_ROWS and IMPORT_RUNS shorten the run.
 */
import { createReadStream, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_MAPPING } from '../../src/desk/importing/formats/format.ts'
import { FORMATS, importFile } from '../../src/desk/importing/import.ts'
import { countRows, EMPTY_TALLY } from '../../src/desk/importing/reconcile.ts'
import { reliabilityFrom } from '../../src/domain/confidence.ts'
import type { ImportReport } from '../../src/domain/import-report.ts'
import { openGeography } from '../../src/geo/geography.ts'
import { openStore } from '../../src/store/open.ts'
import { startServer } from '../../test/support/databases/postgres-server.ts'
import { MILLION, ndjsonFile, UNTIL } from '../harness/data.ts'
import type { Row } from '../harness/row.ts'
import { whole } from '../harness/statistics.ts'

const ROWS = Number(process.env.IMPORT_ROWS ?? MILLION)
const RUNS = Number(process.env.IMPORT_RUNS ?? 2)
const LEAST_ROWS_A_SECOND = 10_000
const MOST_GROWTH = 1.5
/** Memory no longer grows after this many rows. */
const SETTLED_AT = Math.min(100_000, ROWS / 2)

interface Measured {
  readonly rowsPerSecond: number
  /** Resident memory at the end, as a multiple of that at `SETTLED_AT`. */
  readonly growth: number
  readonly megabytes: number
}

export async function run(): Promise<Row[]> {
  const { path } = await ndjsonFile(ROWS)
  const rows: Row[] = []
  for (const [name, database] of [
    ['SQLite', sqliteDatabase],
    ['PostgreSQL', postgresDatabase],
  ] as const) {
    const measured: Measured[] = []
    for (let number = 0; number < RUNS; number++) {
      await using empty = await database()
      measured.push(await importOnce(path, empty.url))
      console.error(`${name}: ${Math.round(measured.at(-1)!.rowsPerSecond)} rows/s`)
    }
    rows.push(...rowsOf(name, measured))
  }
  return rows
}

function rowsOf(name: string, measured: readonly Measured[]): Row[] {
  const rates = measured.map(({ rowsPerSecond }) => rowsPerSecond)
  const best = Math.max(...rates)
  const growth = Math.max(...measured.map((each) => each.growth))
  const megabytes = Math.max(...measured.map((each) => each.megabytes))
  return [
    {
      name: `import: ${whole(ROWS)} NDJSON rows into ${name}`,
      value: `${whole(best)} rows/s (runs ${rates.map(whole).join(', ')})`,
      limit: `≥ ${whole(LEAST_ROWS_A_SECOND)} rows/s`,
      ok: best >= LEAST_ROWS_A_SECOND,
    },
    {
      name: `import: memory at the end, of that at ${whole(SETTLED_AT)} rows, ${name}`,
      value: `${growth.toFixed(2)} (${whole(megabytes)} MB)`,
      limit: `< ${MOST_GROWTH}`,
      ok: growth < MOST_GROWTH,
    },
  ]
}

const RUN_ID = 'imp_bench'
const RUN = { id: RUN_ID, startedAt: UNTIL, updatedAt: UNTIL, state: 'running' } as const
const REPORT: ImportReport = {
  by: 'the bench',
  file: 'incidents.ndjson',
  bytes: null,
  sha256: null,
  format: 'ndjson',
  dataset: null,
  settings: { columns: {}, values: {}, constants: {}, replace: false },
  tally: EMPTY_TALLY,
  checkpoint: null,
  duplicatePairs: null,
  undo: null,
}

async function importOnce(path: string, databaseUrl: string): Promise<Measured> {
  await using store = await openStore(databaseUrl)
  const geography = openGeography(null)
  let settled = 0
  const started = performance.now()
  const { tally } = await importFile({
    format: FORMATS.ndjson,
    open: (start) => createReadStream(path, { start }),
    mapping: NO_MAPPING,
    replace: false,
    run: { id: RUN_ID, report: REPORT, begin: () => store.imports.begin({ ...RUN, report: REPORT }) },
    store,
    geography,
    reliability: reliabilityFrom(),
    clock: () => UNTIL,
    id: 'bench',
    after: null,
    rejectedRows: null,
    signal: new AbortController().signal,
    onProgress: ({ tally }) => {
      if (settled === 0 && countRows(tally) >= SETTLED_AT) settled = process.memoryUsage.rss()
    },
  })
  const seconds = (performance.now() - started) / 1000
  if (tally.counts.new !== ROWS)
    throw new Error(`${tally.counts.new} of ${ROWS} of ${statSync(path).size} bytes went in`)
  const resident = process.memoryUsage.rss()
  return { rowsPerSecond: ROWS / seconds, growth: resident / settled, megabytes: resident / 1e6 }
}

async function sqliteDatabase(): Promise<AsyncDisposable & { url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'incident-feed-bench-'))
  return {
    url: `sqlite:${join(folder, 'import.db')}`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

async function postgresDatabase(): Promise<AsyncDisposable & { url: string }> {
  return startServer()
}
