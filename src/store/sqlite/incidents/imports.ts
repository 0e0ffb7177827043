import type { ImportMark } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function imports(database: Database) {
  return {
    find(id: string): string | null {
      const row = database.get<{ checkpoint: string }>('SELECT checkpoint FROM imports WHERE id = ?', [id])
      return row?.checkpoint ?? null
    },

    forget(id: string): void {
      database.run('DELETE FROM imports WHERE id = ?', [id])
    },
  }
}

export function keepMark(database: Database, { id, checkpoint }: ImportMark, now: number): void {
  database.run(
    `INSERT INTO imports (id, checkpoint, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET checkpoint = excluded.checkpoint, updated_at = excluded.updated_at`,
    [id, checkpoint, now],
  )
}
