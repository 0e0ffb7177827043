import type { StoredPlace } from '../../../domain/places.ts'
import type { ImportedPlaces, StoredGazetteer } from '../../gazetteer.ts'
import { placeValues } from '../../shared/gazetteer-rows.ts'
import type { PostgresConnection } from '../connection/connection.ts'
import { LONG_LIMITS } from '../connection/session-limits.ts'
import { storeAuditEntry } from '../desk/audit.ts'
import { lockHead, nextRevision } from './revision.ts'

type Staging = Pick<StoredGazetteer, 'stage' | 'applyStaged' | 'discardStaged'>

export function staging(connection: PostgresConnection): Staging {
  return {
    async stage(importId, places) {
      if (places.length === 0) return 0
      const staged = await connection.query<{ id: string }>(
        `INSERT INTO staged_places (import_id, id, source, source_id, name, key, aliases, kind, lat, lng, population,
                                    radius_km, updated_at)
         SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                                  $9::float8[], $10::float8[], $11::bigint[], $12::float8[], $13::bigint[])
         ON CONFLICT DO NOTHING
         RETURNING id`,
        [importId, ...columnsOf(places)],
      )
      return staged.length
    },

    applyStaged: (importId, now, audit) =>
      connection.transaction(async (query) => {
        // Taken first: another import must not add the same places between the comparison and the
        // writing.
        await lockHead(query)
        const [counts] = await query<ImportedPlaces>(COMPARISON, [importId])
        if (counts!.added + counts!.changed > 0) {
          await query(APPLICATION, [importId, now, await nextRevision(query)])
          await storeAuditEntry(query, { ...audit, after: counts })
        }
        await query('DELETE FROM staged_places WHERE import_id = $1', [importId])
        return counts!
      }, LONG_LIMITS),

    async discardStaged(before, importId) {
      await connection.query('DELETE FROM staged_places WHERE updated_at < $1 OR import_id = $2', [
        before,
        importId ?? null,
      ])
    },
  }
}

function columnsOf(places: readonly StoredPlace[]): (string | number | null)[][] {
  const rows = places.map(placeValues)
  return rows[0]!.map((_, column) => rows.map((row) => row[column]!))
}

const COMPARISON = `
  SELECT count(*) FILTER (WHERE gazetteer.id IS NULL) AS added,
         count(*) FILTER (WHERE NOT gazetteer.removed AND differs) AS changed,
         count(*) FILTER (WHERE NOT gazetteer.removed AND NOT differs) AS unchanged,
         count(*) FILTER (WHERE gazetteer.removed) AS removed
  FROM (
    SELECT staged_places.id,
           (gazetteer.name, gazetteer.key, gazetteer.aliases, gazetteer.kind, gazetteer.lat, gazetteer.lng,
            gazetteer.population, gazetteer.radius_km)
           IS DISTINCT FROM (staged_places.name, staged_places.key, staged_places.aliases, staged_places.kind,
                             staged_places.lat, staged_places.lng, staged_places.population, staged_places.radius_km)
           AS differs
    FROM staged_places LEFT JOIN gazetteer ON gazetteer.id = staged_places.id
    WHERE staged_places.import_id = $1
  ) AS staged LEFT JOIN gazetteer ON gazetteer.id = staged.id`

const APPLICATION = `
  INSERT INTO gazetteer (id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, updated_at,
                         revision)
  SELECT id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, $2::bigint, $3::bigint
  FROM staged_places WHERE import_id = $1
  ON CONFLICT (id) DO UPDATE
  SET name = excluded.name, key = excluded.key, aliases = excluded.aliases, kind = excluded.kind, lat = excluded.lat,
      lng = excluded.lng, population = excluded.population, radius_km = excluded.radius_km,
      updated_at = excluded.updated_at, revision = excluded.revision
  WHERE NOT gazetteer.removed
    AND (gazetteer.name, gazetteer.key, gazetteer.aliases, gazetteer.kind, gazetteer.lat, gazetteer.lng,
         gazetteer.population, gazetteer.radius_km)
        IS DISTINCT FROM (excluded.name, excluded.key, excluded.aliases, excluded.kind, excluded.lat, excluded.lng,
                          excluded.population, excluded.radius_km)`
