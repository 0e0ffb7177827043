import type { Database } from './database.ts'

export function imports(database: Database) {
  return {
    find(id: string): string | null {
      const row = database.get<{ checkpoint: string }>('SELECT checkpoint FROM imports WHERE id = ?', [id])
      return row?.checkpoint ?? null
    },

    keep(id: string, checkpoint: string, now: number): void {
      database.run(
        `INSERT INTO imports (id, checkpoint, updated_at) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET checkpoint = excluded.checkpoint, updated_at = excluded.updated_at`,
        [id, checkpoint, now],
      )
    },

    forget(id: string): void {
      database.run('DELETE FROM imports WHERE id = ?', [id])
    },
  }
}
