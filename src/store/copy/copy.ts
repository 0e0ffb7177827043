import { createHash } from 'node:crypto'
import { constants, copyFileSync, existsSync, readFileSync } from 'node:fs'
import { isPostgres, sqlitePathOf } from '../open.ts'
import { keyFileOf } from '../secrets/keys.ts'
import { CopyRefused } from '../store.ts'
import type { CopySource, CopyTarget, ReadableEnd } from './ends.ts'
import { COPIED_TABLES, type CopiedRow, type CopiedTable, type CopiedValue, keyOf } from './tables.ts'

interface CopyOptions {
  /** Told how many further rows of a table were copied or compared. */
  readonly onRows?: (step: 'copied' | 'verified', table: string, rows: number) => void
}

interface CopiedStore {
  /** True if an earlier copy was continued. */
  readonly resumed: boolean
  readonly tables: ReadonlyMap<string, VerifiedTable>
}

interface VerifiedTable {
  readonly rows: number
  /** SHA-256 of the canonical rows that were read back from the target. */
  readonly checksum: string
}

/** The progress of a table's copy, written in the same transaction as its last rows. */
interface TableProgress {
  readonly rows: number
  /** The key of the last row that was written; null if there was none. */
  readonly after: readonly CopiedValue[] | null
  readonly copied: boolean
  /** Set when every row was read back and compared. */
  readonly checksum: string | null
}

/** The target keeps the fingerprint of the source under this name. */
const FINGERPRINT_ROW = 'source'

/**
 * Copies every row of a store into an empty one, then reads all of them back and compares. Killed
 * at any moment, the same call continues. Nothing is written to the source.
 */
export async function copyStore(
  from: string,
  to: string,
  { onRows = () => {} }: CopyOptions = {},
): Promise<CopiedStore> {
  if (from === to) throw new CopyRefused('The source and the target are the same store')
  await using source = await openSource(from)
  await using target = await openTarget(to)
  if (source.schemaVersion !== target.schemaVersion)
    throw new CopyRefused(
      `The source has schema version ${source.schemaVersion}, the target ${target.schemaVersion}: both must have that of this build`,
    )
  const fingerprint = await fingerprintOf(source)
  const unfinished = await target.stateOf(FINGERPRINT_ROW)
  if (unfinished === null) {
    await checkEmpty(target)
    await target.begin(FINGERPRINT_ROW, fingerprint)
  } else if (unfinished !== fingerprint) {
    throw new CopyRefused(
      'The target has an unfinished copy of another store, or a service has used the source since it was begun: begin again with an empty target',
    )
  }
  for (const table of COPIED_TABLES)
    await copyTable(table, source, target, (rows) => onRows('copied', table.name, rows))
  const tables = new Map<string, VerifiedTable>()
  for (const table of COPIED_TABLES)
    tables.set(table.name, await verifyOnce(table, source, target, (rows) => onRows('verified', table.name, rows)))
  await source.readAgain()
  if ((await fingerprintOf(source)) !== fingerprint)
    throw new CopyRefused('A service has used the source during the copy: begin again with an empty target')
  await target.finish(COPIED_TABLES)
  return { resumed: unfinished !== null, tables }
}

async function openSource(address: string): Promise<CopySource> {
  return isPostgres(address)
    ? (await import('../postgres/copy.ts')).openPostgresSource(address)
    : (await import('../sqlite/copy.ts')).openSqliteSource(sqlitePathOf(address))
}

async function openTarget(address: string): Promise<CopyTarget> {
  return isPostgres(address)
    ? (await import('../postgres/copy.ts')).openPostgresTarget(address)
    : (await import('../sqlite/copy.ts')).openSqliteTarget(sqlitePathOf(address))
}

/** Beside the heads: a service that has run leaves a trace in one of them. */
const TOUCHED_BY_SERVICES = ['owners', 'tip_secret', 'push_keys']

/**
 * Tells whether the source is the same store as when the copy began, and unchanged: from its heads,
 * its leases and the heartbeats of its processes. Verifying compares every row.
 */
async function fingerprintOf(source: ReadableEnd): Promise<string> {
  const hash = createHash('sha256')
  for (const table of COPIED_TABLES) {
    if (table.initial.length === 0 && !TOUCHED_BY_SERVICES.includes(table.name)) continue
    hash.update(`${table.name}\n`)
    for await (const page of source.pages(table, null)) for (const row of page) hash.update(`${canonicalRow(row)}\n`)
  }
  return hash.digest('hex')
}

/** Refuses a target that has more than a new store has. */
async function checkEmpty(target: ReadableEnd): Promise<void> {
  const filled: string[] = []
  for (const table of COPIED_TABLES) if (!(await isUnused(target, table))) filled.push(table.name)
  if (filled.length > 0)
    throw new CopyRefused(
      `The target is not empty: it has rows in ${filled.join(', ')}. Nothing was changed. Name a new file, or create an empty database`,
    )
}

async function isUnused(target: ReadableEnd, table: CopiedTable): Promise<boolean> {
  let first: readonly CopiedRow[] = []
  for await (const page of target.pages(table, null)) {
    first = page
    break
  }
  const textOf = (rows: readonly CopiedRow[]) => rows.map(canonicalRow).join('\n')
  return textOf(first) === textOf(table.initial)
}

/** Copies the rows that the target does not have yet. */
async function copyTable(
  table: CopiedTable,
  source: CopySource,
  target: CopyTarget,
  onRows: (rows: number) => void,
): Promise<void> {
  const begun = await progressOf(target, table)
  if (begun?.copied) return
  let progress = begun ?? { rows: 0, after: null, copied: false, checksum: null }
  let first = begun === null
  for await (const rows of source.pages(table, progress.after)) {
    progress = { ...progress, rows: progress.rows + rows.length, after: storableKey(keyOf(table, rows.at(-1)!)) }
    await target.write(table, rows, JSON.stringify(progress), first)
    first = false
    onRows(rows.length)
  }
  await target.write(table, [], JSON.stringify({ ...progress, copied: true }), first)
}

async function progressOf(target: CopyTarget, table: CopiedTable): Promise<TableProgress | null> {
  const state = await target.stateOf(table.name)
  return state === null ? null : (JSON.parse(state) as TableProgress)
}

/** The position is stored as JSON. */
function storableKey(values: readonly CopiedValue[]): readonly CopiedValue[] {
  for (const value of values)
    if (value === null || value instanceof Uint8Array) throw new TypeError('a key has no null and no bytes')
  return values
}

/** A table that was compared before the copy was interrupted is not compared again. */
async function verifyOnce(
  table: CopiedTable,
  source: CopySource,
  target: CopyTarget,
  onRows: (rows: number) => void,
): Promise<VerifiedTable> {
  const progress = (await progressOf(target, table))!
  if (progress.checksum !== null) return { rows: progress.rows, checksum: progress.checksum }
  const verified = await verifyTable(table, source, target, onRows)
  await target.write(table, [], JSON.stringify({ ...progress, checksum: verified.checksum }), false)
  return verified
}

/** Reads the table from both ends and compares it row by row. */
async function verifyTable(
  table: CopiedTable,
  source: ReadableEnd,
  target: ReadableEnd,
  onRows: (rows: number) => void,
): Promise<VerifiedTable> {
  const checksum = createHash('sha256')
  const expected = rowsOf(source.pages(table, null))
  let rows = 0
  for await (const page of target.pages(table, null)) {
    for (const row of page) {
      const text = canonicalRow(row)
      const next = await expected.next()
      if (next.done) throw different(table, row, 'is only in the target')
      if (canonicalRow(next.value) !== text) throw different(table, next.value, 'is not the same in the target')
      checksum.update(text).update('\n')
      rows++
    }
    onRows(page.length)
  }
  const next = await expected.next()
  if (!next.done) throw different(table, next.value, 'is missing in the target')
  return { rows, checksum: checksum.digest('hex') }
}

async function* rowsOf(pages: AsyncIterable<readonly CopiedRow[]>): AsyncGenerator<CopiedRow, void> {
  for await (const page of pages) yield* page
}

function different(table: CopiedTable, row: CopiedRow, what: string): CopyRefused {
  return new CopyRefused(
    `${table.name}: the row ${keyOf(table, row).join(', ')} ${what}. Somebody has written to one of the stores: begin again with an empty target`,
  )
}

/** One text for each row, equal for equal rows, whichever store they were read from. */
export function canonicalRow(row: CopiedRow): string {
  return JSON.stringify(
    row.map((value) => (value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value)),
  )
}

/**
 * The key that encrypts the secrets of watches is in no database. Copies its file to the new place
 * if that is a file too. Returns what an operator has to do.
 */
export function moveSecretsKey(from: string, to: string): string {
  const file = isPostgres(from) ? null : keyFileOf(sqlitePathOf(from))
  if (file === null || !existsSync(file)) return 'SECRETS_KEY stays as it was: the target needs the same.'
  if (isPostgres(to))
    return `The key of the webhook secrets is in ${file}: set SECRETS_KEY to its content on every node (after a comma if SECRETS_KEY was set already).`
  const target = keyFileOf(sqlitePathOf(to))
  if (!existsSync(target)) copyFileSync(file, target, constants.COPYFILE_EXCL)
  else if (!readFileSync(target).equals(readFileSync(file)))
    return `${target} is another key than ${file}: put a copy of ${file} in its place before you start the service.`
  return `The key of the webhook secrets is in ${target}.`
}
