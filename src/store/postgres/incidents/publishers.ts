import { type PublisherRow, publisherOf } from '../../shared/rows/publisher-rows.ts'
import type { Publishers } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'

export function publishers(connection: PostgresConnection): Publishers {
  return {
    async list() {
      const rows = await connection.query<PublisherRow>(
        'SELECT key, name, kind, updated_at FROM publishers ORDER BY name COLLATE "C", key',
      )
      return rows.map(publisherOf)
    },

    async set({ key, name, kind, updatedAt }) {
      await connection.query(
        `INSERT INTO publishers (key, name, kind, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (key) DO UPDATE SET name = excluded.name, kind = excluded.kind, updated_at = excluded.updated_at`,
        [key, name, kind, updatedAt],
      )
    },

    async remove(key) {
      const removed = await connection.query('DELETE FROM publishers WHERE key = $1 RETURNING key', [key])
      return removed.length > 0
    },
  }
}
