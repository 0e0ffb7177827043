/**
 * Synthetic incidents for the suites: the same in every run, over ten years up to a fixed moment.
 * They are written once, through the real store, into bench/data/, and reused as long as the
 * generator and the schema stay the same.
 */
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Archive } from '../../src/archive/archive.ts'
import { SavedArchive } from '../../src/archive/saved/saved-archive.ts'
import { fillWithHistory } from '../../src/demo/live-feed.ts'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { places } from '../../src/geo/places.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { openStore } from '../../src/store/open.ts'
import { MIGRATIONS } from '../../src/store/sqlite/migrate.ts'

export const MILLION = 1_000_000

/**
 * The end of the data. The suites set their clocks to it, so "the last 30 days" are always equally
 * full.
 */
export const UNTIL = Date.UTC(2026, 10, 1)
export const FROM = UNTIL - 10 * 365.25 * 86_400_000
const SEED = 20_260_101
const FOLDER = fileURLToPath(new URL('../data/', import.meta.url))

/** Returns a running clock that starts at the end of the data. */
export function clockAtEndOfData(): () => number {
  const offset = Date.now() - UNTIL
  return () => Date.now() - offset
}

export interface DataFile {
  readonly path: string
  readonly count: number
}

/**
 * Returns a SQLite file with `count` incidents; creates it if it is missing, incomplete or
 * outdated.
 */
export function dataFile(count: number): Promise<DataFile> {
  return made(count, `${FOLDER}${count}.db`, `${FOLDER}${count}.json`, fill)
}

/** Returns the same incidents as NDJSON. */
export function ndjsonFile(count: number): Promise<DataFile> {
  return made(count, `${FOLDER}${count}.ndjson`, `${FOLDER}${count}.ndjson.json`, writeDocuments)
}

/** Returns a folder built from the same incidents; it is rebuilt if `schema` changes. */
export function dataFolder(
  count: number,
  name: string,
  schema: string,
  make: (path: string, count: number) => Promise<void>,
): Promise<DataFile> {
  return made(count, `${FOLDER}${count}.${name}`, `${FOLDER}${count}.${name}.json`, make, schema)
}

async function made(
  count: number,
  path: string,
  marker: string,
  make: (path: string, count: number) => Promise<void>,
  schema?: string,
): Promise<DataFile> {
  const wanted = JSON.stringify({ count, seed: SEED, from: FROM, until: UNTIL, format: formatOf(count), schema })
  if (textOf(marker) === wanted) return { path, count }
  mkdirSync(FOLDER, { recursive: true })
  rmSync(marker, { force: true })
  removeDatabase(path)
  await make(path, count)
  // Written last: a file without its marker was not finished.
  writeFileSync(marker, wanted)
  return { path, count }
}

async function writeDocuments(path: string, count: number): Promise<void> {
  const building = `${path}.${process.pid}`
  const file = openSync(building, 'w')
  try {
    let lines: string[] = []
    const flush = () => {
      writeSync(file, lines.join(''))
      lines = []
    }
    for (const incident of syntheticIncidents(history(count))) {
      if (lines.push(`${JSON.stringify(incident)}\n`) === 1_000) flush()
    }
    flush()
    renameSync(building, path)
  } finally {
    closeSync(file)
    rmSync(building, { force: true })
  }
}

export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '.secrets-key', '.snapshot', '.compiled', '.bench.snapshot'])
    rmSync(path + suffix, { force: true, recursive: true })
}

/** Loads an archive of `count` incidents as the service does. */
export async function archiveOf(count: number): Promise<Archive> {
  const { path } = await dataFile(count)
  await using store = await openStore(`sqlite:${path}`)
  const archive = await Archive.load(await store.incidents.snapshot())
  runToEnd(archive.buildIndexes())
  return archive
}

/** The same with a saved archive, and older documents in its files, as a later start has it. */
export async function savedArchiveOf(count: number, memoryBytes: number): Promise<Archive> {
  const { path } = await dataFile(count)
  await using store = await openStore(`sqlite:${path}`)
  // Stays open until the process ends: documents are read from its files.
  const saved = SavedArchive.open(`${path}.bench.snapshot`, { memoryBytes })
  if (saved === null) throw new Error('another run uses the saved archive')
  const loaded = await saved.load(store.events, (reason) => console.error(String(reason)))
  const archive = loaded ?? (await Archive.load(await store.incidents.snapshot(), saved.newDocuments(rethrow)))
  if (loaded === null) await saved.save(archive, store.events, new AbortController().signal)
  runToEnd(archive.buildIndexes())
  return archive
}

function rethrow(error: unknown): never {
  throw error
}

/** Builds under a temporary name and renames, so that another run never sees a partial file. */
async function fill(path: string, count: number): Promise<void> {
  const building = `${path}.${process.pid}`
  try {
    const started = performance.now()
    {
      await using store = await openStore(`sqlite:${building}`)
      await fillWithHistory({
        ...history(count),
        store,
        now: () => UNTIL,
        onProgress: (saved) => printProgress(saved, count),
      })
    }
    renameSync(building, path)
    console.error(`wrote ${path} in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  } finally {
    removeDatabase(building)
  }
}

function history(count: number) {
  return { places, seed: SEED, count, from: FROM, until: UNTIL }
}

/** Returns a hash of the schema and of the first generated incidents. */
function formatOf(count: number): string {
  const format = createHash('sha256')
  for (const { sql } of MIGRATIONS) format.update(sql)
  for (const incident of syntheticIncidents(history(count)).take(500)) format.update(JSON.stringify(incident))
  return format.digest('hex')
}

function printProgress(saved: number, count: number): void {
  if (saved % 100_000 === 0) console.error(`${saved.toLocaleString('en')} of ${count.toLocaleString('en')} incidents`)
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
