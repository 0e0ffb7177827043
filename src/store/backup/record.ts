import { isPostgres, sqlitePathOf } from '../open.ts'

/**
 * Notes in the store when a backup was taken; an earlier time than the one on record changes
 * nothing. Does not migrate: a backup is made before an upgrade. Returns false, and notes nothing,
 * if the schema is too old to have a place for it.
 */
export async function recordBackup(databaseUrl: string, takenAt: number): Promise<boolean> {
  if (isPostgres(databaseUrl)) {
    const { recordPostgresBackup } = await import('../postgres/backup/record.ts')
    return recordPostgresBackup(databaseUrl, takenAt)
  }
  const { recordSqliteBackup } = await import('../sqlite/backup/record.ts')
  return recordSqliteBackup(sqlitePathOf(databaseUrl), takenAt)
}
