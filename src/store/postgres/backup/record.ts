import { useDatabase } from './use-database.ts'

export function recordPostgresBackup(databaseUrl: string, takenAt: number): Promise<boolean> {
  return useDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query("SELECT to_regclass('last_backup') IS NOT NULL AS exists")
    if (!rows[0].exists) return false
    await client.query(
      `INSERT INTO last_backup (taken_at) VALUES ($1)
       ON CONFLICT (single) DO UPDATE SET taken_at = greatest(last_backup.taken_at, excluded.taken_at)`,
      [takenAt],
    )
    return true
  })
}
