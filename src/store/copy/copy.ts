import { isPostgres, sqlitePathOf } from '../open.ts'
import { checkEmpty } from './check-empty.ts'
import { CopyRefused } from './copy-refused.ts'
import { copyTable } from './copy-table.ts'
import type { CopySource, CopyTarget } from './ends.ts'
import { fingerprintOf } from './fingerprint.ts'
import { COPIED_TABLES } from './tables/tables.ts'
import { type VerifiedTable, verifyTable } from './verify-table.ts'

export interface CopyOptions {
  /** Told how many further rows of a table were copied or compared. */
  readonly onRows?: (step: 'copied' | 'verified', table: string, rows: number) => void
}

export interface CopiedStore {
  /** True if an earlier copy was continued. */
  readonly resumed: boolean
  readonly tables: ReadonlyMap<string, VerifiedTable>
}

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
  const unfinished = await target.unfinishedCopyOf()
  if (unfinished === null) {
    await checkEmpty(target)
    await target.begin(fingerprint)
  } else if (unfinished !== fingerprint) {
    throw new CopyRefused(
      'The target has an unfinished copy of another store, or a service has used the source since it was begun: begin again with an empty target',
    )
  }
  for (const table of COPIED_TABLES)
    await copyTable(table, source, target, (rows) => onRows('copied', table.name, rows))
  const tables = await verifyAll(source, target, (table, rows) => onRows('verified', table, rows))
  await source.checkUnused()
  await target.finish(COPIED_TABLES)
  return { resumed: unfinished !== null, tables }
}

/** A table that was compared before the copy was interrupted is not compared again. */
async function verifyAll(
  source: CopySource,
  target: CopyTarget,
  onRows: (table: string, rows: number) => void,
): Promise<Map<string, VerifiedTable>> {
  const verified = new Map<string, VerifiedTable>()
  for (const table of COPIED_TABLES) {
    const progress = (await target.progressOf(table))!
    if (progress.checksum !== null) {
      verified.set(table.name, { rows: progress.rows, checksum: progress.checksum })
      continue
    }
    const result = await verifyTable(table, source, target, (rows) => onRows(table.name, rows))
    await target.write(table, [], { ...progress, checksum: result.checksum }, false)
    verified.set(table.name, result)
  }
  return verified
}

async function openSource(address: string): Promise<CopySource> {
  if (isPostgres(address)) {
    const { openPostgresSource } = await import('../postgres/copy/source.ts')
    return openPostgresSource(address)
  }
  const { openSqliteSource } = await import('../sqlite/copy/source.ts')
  return openSqliteSource(sqlitePathOf(address))
}

async function openTarget(address: string): Promise<CopyTarget> {
  if (isPostgres(address)) {
    const { openPostgresTarget } = await import('../postgres/copy/target.ts')
    return openPostgresTarget(address)
  }
  const { openSqliteTarget } = await import('../sqlite/copy/target.ts')
  return openSqliteTarget(sqlitePathOf(address))
}
