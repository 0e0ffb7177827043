import type { StoredGazetteer } from '../../gazetteer.ts'
import {
  afterPrefix,
  type PlaceChangeRow,
  type PlaceRow,
  placeChangeOf,
  placeOf,
  placeValues,
} from '../../shared/gazetteer-rows.ts'
import type { PostgresConnection } from '../connection/connection.ts'
import { storeAuditEntry } from '../desk/audit.ts'
import { lockHead, nextRevision } from './revision.ts'
import { staging } from './staging.ts'

export function gazetteer(connection: PostgresConnection): Omit<StoredGazetteer, 'onChange' | 'onAppend' | 'onDue'> {
  return {
    ...staging(connection),

    async changedAfter({ revision, id }, limit) {
      const rows = await connection.query<PlaceChangeRow>(
        `SELECT id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, updated_at, revision,
                removed
         FROM gazetteer
         WHERE (revision, id) > ($1::bigint, $2::text)
         ORDER BY revision, id
         LIMIT $3`,
        [revision, id, limit],
      )
      return rows.map(placeChangeOf)
    },

    async list({ keyPrefix, kind, source }, after, limit) {
      const prefix = keyPrefix ?? ''
      const rows = await connection.query<PlaceRow>(
        `SELECT id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, updated_at
         FROM gazetteer
         WHERE NOT removed AND (key, id) > ($1::text, $2::text) AND key >= $3 AND key < $4
           AND ($5::text IS NULL OR kind = $5) AND ($6::text IS NULL OR source = $6)
         ORDER BY key, id
         LIMIT $7`,
        [after?.key ?? '', after?.id ?? '', prefix, afterPrefix(prefix), kind, source, limit],
      )
      return rows.map(placeOf)
    },

    async find(id) {
      const [row] = await connection.query<PlaceRow>(
        `SELECT id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, updated_at
         FROM gazetteer WHERE id = $1 AND NOT removed`,
        [id],
      )
      return row ? placeOf(row) : null
    },

    async count() {
      const [row] = await connection.query<{ places: number }>(
        'SELECT count(*) AS places FROM gazetteer WHERE NOT removed',
      )
      return row!.places
    },

    add: (place, max, audit) =>
      connection.transaction(async (query) => {
        // Two who add at once cannot both be the last that fits.
        await lockHead(query)
        const [row] = await query<{ held: number }>(
          `SELECT count(*) AS held FROM gazetteer WHERE source = 'desk' AND NOT removed`,
        )
        if (row!.held >= max) return 'too_many'
        await query(
          `INSERT INTO gazetteer (id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, updated_at,
                                  revision)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
          [...placeValues(place), await nextRevision(query)],
        )
        await storeAuditEntry(query, audit)
        return place
      }),

    remove: (id, now, audit) =>
      connection.transaction(async (query) => {
        await lockHead(query)
        const found = await query('SELECT 1 FROM gazetteer WHERE id = $1 AND NOT removed', [id])
        if (found.length === 0) return false
        await query('UPDATE gazetteer SET removed = true, revision = $2, updated_at = $3 WHERE id = $1', [
          id,
          await nextRevision(query),
          now,
        ])
        await storeAuditEntry(query, audit)
        return true
      }),
  }
}
