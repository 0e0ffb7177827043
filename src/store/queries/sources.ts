import type { PublisherEntry, Publishers } from '../store.ts'
import { BY_BYTES } from './dialect.ts'
import { type QueriesOf, rows, run, sql } from './query.ts'

export const publishers = {
  list: () =>
    rows<PublisherEntry>(
      sql`SELECT key, name, kind, updated_at AS "updatedAt" FROM publishers ORDER BY name ${BY_BYTES}, key`,
    ),

  *set({ key, name, kind, updatedAt }) {
    yield* run(
      sql`INSERT INTO publishers (key, name, kind, updated_at) VALUES (${key}, ${name}, ${kind}, ${updatedAt})
          ON CONFLICT (key) DO UPDATE SET name = excluded.name, kind = excluded.kind, updated_at = excluded.updated_at`,
    )
  },

  *remove(key) {
    return (yield* run(sql`DELETE FROM publishers WHERE key = ${key}`)) > 0
  },
} satisfies QueriesOf<Publishers>
