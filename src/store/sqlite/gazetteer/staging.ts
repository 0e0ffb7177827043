import type { StoredPlace } from '../../../domain/places.ts'
import type { NewAuditEntry } from '../../accounts/audit.ts'
import type { ImportedPlaces } from '../../gazetteer.ts'
import { placeValues } from '../../shared/gazetteer-rows.ts'
import type { Database } from '../connection/database.ts'
import { storeAuditEntry } from '../desk/audit.ts'
import { nextRevision } from './revision.ts'

export function staging(database: Database) {
  return {
    stage(importId: string, places: readonly StoredPlace[]): number {
      return database.transaction(() => {
        let staged = 0
        for (const place of places) {
          staged += database.run(
            `INSERT INTO staged_places (import_id, id, source, source_id, name, key, aliases, kind, lat, lng, population,
                                        radius_km, updated_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT DO NOTHING`,
            [importId, ...placeValues(place)],
          )
        }
        return staged
      })
    },

    applyStaged(importId: string, now: number, audit: NewAuditEntry): ImportedPlaces {
      return database.transaction(() => {
        const counts = { ...database.get<ImportedPlaces>(COMPARISON, [importId])! }
        if (counts.added + counts.changed > 0) {
          database.run(APPLICATION, { importId, revision: nextRevision(database), now })
          storeAuditEntry(database, { ...audit, after: counts })
        }
        database.run('DELETE FROM staged_places WHERE import_id = ?', [importId])
        return counts
      })
    },

    discardStaged(before: number, importId?: string): void {
      database.run('DELETE FROM staged_places WHERE updated_at < ? OR import_id = ?', [before, importId ?? null])
    },
  }
}

const COMPARISON = `
  SELECT count(*) FILTER (WHERE gazetteer.id IS NULL) AS added,
         count(*) FILTER (WHERE gazetteer.removed = 0 AND differs) AS changed,
         count(*) FILTER (WHERE gazetteer.removed = 0 AND NOT differs) AS unchanged,
         count(*) FILTER (WHERE gazetteer.removed = 1) AS removed
  FROM (
    SELECT staged_places.id,
           (gazetteer.name, gazetteer.key, gazetteer.aliases, gazetteer.kind, gazetteer.lat, gazetteer.lng,
            gazetteer.population, gazetteer.radius_km)
           IS NOT (staged_places.name, staged_places.key, staged_places.aliases, staged_places.kind, staged_places.lat,
                   staged_places.lng, staged_places.population, staged_places.radius_km) AS differs
    FROM staged_places LEFT JOIN gazetteer ON gazetteer.id = staged_places.id
    WHERE staged_places.import_id = ?
  ) AS staged LEFT JOIN gazetteer ON gazetteer.id = staged.id`

const APPLICATION = `
  INSERT INTO gazetteer (id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, updated_at,
                         revision)
  SELECT id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, :now, :revision
  FROM staged_places WHERE import_id = :importId
  ON CONFLICT (id) DO UPDATE
  SET name = excluded.name, key = excluded.key, aliases = excluded.aliases, kind = excluded.kind, lat = excluded.lat,
      lng = excluded.lng, population = excluded.population, radius_km = excluded.radius_km,
      updated_at = excluded.updated_at, revision = excluded.revision
  WHERE gazetteer.removed = 0
    AND (gazetteer.name, gazetteer.key, gazetteer.aliases, gazetteer.kind, gazetteer.lat, gazetteer.lng,
         gazetteer.population, gazetteer.radius_km)
        IS NOT (excluded.name, excluded.key, excluded.aliases, excluded.kind, excluded.lat, excluded.lng,
                excluded.population, excluded.radius_km)`
