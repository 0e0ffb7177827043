import type { ImportCheckpoint } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function imports(database: Database) {
  return {
    findCheckpoint(id: string): string | null {
      const row = database.get<{ checkpoint: string }>('SELECT checkpoint FROM imports WHERE id = ?', [id])
      return row?.checkpoint ?? null
    },

    deleteCheckpoint(id: string): void {
      database.run('DELETE FROM imports WHERE id = ?', [id])
    },
  }
}

export function saveCheckpoint(database: Database, { id, checkpoint }: ImportCheckpoint, now: number): void {
  database.run(
    `INSERT INTO imports (id, checkpoint, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET checkpoint = excluded.checkpoint, updated_at = excluded.updated_at`,
    [id, checkpoint, now],
  )
}
