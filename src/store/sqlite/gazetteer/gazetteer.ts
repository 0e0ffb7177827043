import type { StoredPlace } from '../../../domain/places.ts'
import type { NewAuditEntry } from '../../accounts/audit.ts'
import type { GazetteerPosition, PlaceChange, PlacePosition, PlaceQuery } from '../../gazetteer.ts'
import {
  afterPrefix,
  type PlaceChangeRow,
  type PlaceRow,
  placeChangeOf,
  placeOf,
  placeValues,
} from '../../shared/gazetteer-rows.ts'
import type { Database } from '../connection/database.ts'
import { storeAuditEntry } from '../desk/audit.ts'
import { nextRevision } from './revision.ts'
import { staging } from './staging.ts'

export function gazetteer(database: Database) {
  return {
    ...staging(database),

    changedAfter({ revision, id }: GazetteerPosition, limit: number): PlaceChange[] {
      return database
        .all<PlaceChangeRow>(
          `SELECT id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, updated_at, revision,
                  removed
           FROM gazetteer
           WHERE (revision, id) > (?, ?)
           ORDER BY revision, id
           LIMIT +?`,
          [revision, id, limit],
        )
        .map(placeChangeOf)
    },

    list({ keyPrefix, kind, source }: PlaceQuery, after: PlacePosition | null, limit: number): StoredPlace[] {
      const prefix = keyPrefix ?? ''
      return database
        .all<PlaceRow>(
          `SELECT id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, updated_at
           FROM gazetteer
           WHERE removed = 0 AND (key, id) > (:key, :id) AND key >= :prefix AND key < :end
             AND (:kind IS NULL OR kind = :kind) AND (:source IS NULL OR source = :source)
           ORDER BY key, id
           LIMIT +:limit`,
          { key: after?.key ?? '', id: after?.id ?? '', prefix, end: afterPrefix(prefix), kind, source, limit },
        )
        .map(placeOf)
    },

    find(id: string): StoredPlace | null {
      const row = database.get<PlaceRow>(
        `SELECT id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, updated_at
         FROM gazetteer WHERE id = ? AND removed = 0`,
        [id],
      )
      return row ? placeOf(row) : null
    },

    count(): number {
      return database.get<{ places: number }>('SELECT count(*) AS places FROM gazetteer WHERE removed = 0')!.places
    },

    add(place: StoredPlace, max: number, audit: NewAuditEntry): StoredPlace | 'too_many' {
      return database.transaction(() => {
        const { held } = database.get<{ held: number }>(
          `SELECT count(*) AS held FROM gazetteer WHERE source = 'desk' AND removed = 0`,
        )!
        if (held >= max) return 'too_many'
        database.run(
          `INSERT INTO gazetteer (id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, updated_at,
                                  revision)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          [...placeValues(place), nextRevision(database)],
        )
        storeAuditEntry(database, audit)
        return place
      })
    },

    remove(id: string, now: number, audit: NewAuditEntry): boolean {
      return database.transaction(() => {
        const found = database.get('SELECT 1 FROM gazetteer WHERE id = ? AND removed = 0', [id])
        if (found === undefined) return false
        database.run('UPDATE gazetteer SET removed = 1, revision = ?, updated_at = ? WHERE id = ?', [
          nextRevision(database),
          now,
          id,
        ])
        storeAuditEntry(database, audit)
        return true
      })
    },
  }
}
