import { type PublisherRow, publisherOf } from '../../shared/rows/publisher-rows.ts'
import type { PublisherEntry } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function publishers(database: Database) {
  return {
    list(): PublisherEntry[] {
      return database
        .all<PublisherRow>('SELECT key, name, kind, updated_at FROM publishers ORDER BY name, key')
        .map(publisherOf)
    },

    set({ key, name, kind, updatedAt }: PublisherEntry): void {
      database.run(
        `INSERT INTO publishers (key, name, kind, updated_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET name = excluded.name, kind = excluded.kind, updated_at = excluded.updated_at`,
        [key, name, kind, updatedAt],
      )
    },

    remove(key: string): boolean {
      return database.run('DELETE FROM publishers WHERE key = ?', [key]) > 0
    },
  }
}
