import type { ImportCheckpoint, Imports } from '../../store.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'

export function imports(connection: PostgresConnection): Imports {
  return {
    async findCheckpoint(id) {
      const [row] = await connection.query<{ checkpoint: string }>('SELECT checkpoint FROM imports WHERE id = $1', [id])
      return row?.checkpoint ?? null
    },

    async deleteCheckpoint(id) {
      await connection.query('DELETE FROM imports WHERE id = $1', [id])
    },
  }
}

export async function saveCheckpoint(query: Query, { id, checkpoint }: ImportCheckpoint, now: number): Promise<void> {
  await query(
    `INSERT INTO imports (id, checkpoint, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (id) DO UPDATE SET checkpoint = excluded.checkpoint, updated_at = excluded.updated_at`,
    [id, checkpoint, now],
  )
}
