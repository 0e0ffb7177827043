import type { StoredPlace } from '../../domain/places.ts'
import type { ImportedPlaces, PlaceChange, StoredGazetteer } from '../store.ts'
import { storeAuditEntry } from './audit.ts'
import { ALSO_NOTIFY, bigint, FOR_UPDATE, insertedRows, isFalse, listed, plain, shared, text } from './dialect.ts'
import { begin, first, onPostgres, type QueriesOf, type Query, rows, run, sql } from './query.ts'

/** In the order of `valuesOf`. */
const WRITTEN = shared('id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, updated_at')
const COLUMNS = shared(
  `id, source, source_id AS "sourceId", name, key, aliases, kind, lat, lng, population, radius_km AS "radiusKm",
   updated_at AS "updatedAt"`,
)
const PRESENT = isFalse('removed')
const STAGED = insertedRows({
  import_id: 'text',
  id: 'text',
  source: 'text',
  source_id: 'text',
  name: 'text',
  key: 'text',
  aliases: 'text',
  kind: 'text',
  lat: 'double precision',
  lng: 'double precision',
  population: 'bigint',
  radius_km: 'double precision',
  updated_at: 'bigint',
})

type PlaceRow = Omit<StoredPlace, 'aliases'> & { readonly aliases: string }

function placeOf(row: PlaceRow): StoredPlace {
  return { ...row, aliases: JSON.parse(row.aliases) as string[] }
}

function valuesOf(place: StoredPlace) {
  const { id, source, sourceId, name, key, aliases, kind, lat, lng, population, radiusKm, updatedAt } = place
  return [id, source, sourceId, name, key, JSON.stringify(aliases), kind, lat, lng, population, radiusKm, updatedAt]
}

export const gazetteer = {
  *changedAfter(position, limit) {
    const found = yield* rows<PlaceRow & { revision: number; removed: number | boolean }>(
      sql`SELECT ${COLUMNS}, revision, removed
          FROM gazetteer
          WHERE (revision, id) > (${bigint(position.revision)}, ${text(position.id)})
          ORDER BY revision, id
          LIMIT ${plain(limit)}`,
    )
    return found.map(
      ({ revision, removed, ...row }): PlaceChange => ({
        place: placeOf(row),
        revision,
        removed: Boolean(removed),
      }),
    )
  },

  *list({ keyPrefix, kind, source }, after, limit) {
    const prefix = keyPrefix ?? ''
    // Keys have the letters a to z and digits only: `~` comes after all that begin with the prefix.
    const found = yield* rows<PlaceRow>(
      sql`SELECT ${COLUMNS}
          FROM gazetteer
          WHERE ${PRESENT} AND (key, id) > (${text(after?.key ?? '')}, ${text(after?.id ?? '')})
            AND key >= ${prefix} AND key < ${`${prefix}~`}
            AND (${text(kind)} IS NULL OR kind = ${kind}) AND (${text(source)} IS NULL OR source = ${source})
          ORDER BY key, id
          LIMIT ${plain(limit)}`,
    )
    return found.map(placeOf)
  },

  *find(id) {
    const row = yield* first<PlaceRow>(sql`SELECT ${COLUMNS} FROM gazetteer WHERE id = ${id} AND ${PRESENT}`)
    return row === undefined ? null : placeOf(row)
  },

  *count() {
    const row = yield* first<{ places: number }>(sql`SELECT count(*) AS places FROM gazetteer WHERE ${PRESENT}`)
    return row!.places
  },

  *add(place, max, audit) {
    yield* begin()
    // Two who add at once cannot both be the last that fits.
    yield* lockHead()
    const desk = yield* first<{ held: number }>(
      sql`SELECT count(*) AS held FROM gazetteer WHERE source = 'desk' AND ${PRESENT}`,
    )
    if (desk!.held >= max) return 'too_many'
    const values = [...valuesOf(place), yield* nextRevision()]
    yield* run(sql`INSERT INTO gazetteer (${WRITTEN}, revision) VALUES (${listed(values)})`)
    yield* storeAuditEntry(audit)
    return place
  },

  *remove(id, now, audit) {
    yield* begin()
    yield* lockHead()
    const found = yield* rows(sql`SELECT 1 FROM gazetteer WHERE id = ${id} AND ${PRESENT}`)
    if (found.length === 0) return false
    yield* run(
      sql`UPDATE gazetteer SET removed = true, revision = ${yield* nextRevision()}, updated_at = ${now}
          WHERE id = ${id}`,
    )
    yield* storeAuditEntry(audit)
    return true
  },

  stage: (importId, places) =>
    run(
      sql`INSERT INTO staged_places (import_id, ${WRITTEN})
          ${STAGED(places.map((place) => [importId, ...valuesOf(place)]))}
          ON CONFLICT DO NOTHING`,
    ),

  *applyStaged(importId, now, audit) {
    yield* begin('long')
    // Taken first: another import must not add the same places between the comparison and the
    // writing.
    yield* lockHead()
    const counts = yield* first<ImportedPlaces>(
      sql`SELECT count(*) FILTER (WHERE gazetteer.id IS NULL) AS added,
                 count(*) FILTER (WHERE NOT gazetteer.removed AND differs) AS changed,
                 count(*) FILTER (WHERE NOT gazetteer.removed AND NOT differs) AS unchanged,
                 count(*) FILTER (WHERE gazetteer.removed) AS removed
          FROM (
            SELECT staged_places.id,
                   (gazetteer.name, gazetteer.key, gazetteer.aliases, gazetteer.kind, gazetteer.lat, gazetteer.lng,
                    gazetteer.population, gazetteer.radius_km)
                   IS DISTINCT FROM (staged_places.name, staged_places.key, staged_places.aliases, staged_places.kind,
                                     staged_places.lat, staged_places.lng, staged_places.population,
                                     staged_places.radius_km) AS differs
            FROM staged_places LEFT JOIN gazetteer ON gazetteer.id = staged_places.id
            WHERE staged_places.import_id = ${importId}
          ) AS staged LEFT JOIN gazetteer ON gazetteer.id = staged.id`,
    )
    const { added, changed } = counts!
    if (added + changed > 0) {
      yield* run(
        sql`INSERT INTO gazetteer (${WRITTEN}, revision)
            SELECT id, source, source_id, name, key, aliases, kind, lat, lng, population, radius_km, ${bigint(now)},
                   ${bigint(yield* nextRevision())}
            FROM staged_places WHERE import_id = ${importId}
            ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, key = excluded.key, aliases = excluded.aliases, kind = excluded.kind,
                lat = excluded.lat, lng = excluded.lng, population = excluded.population,
                radius_km = excluded.radius_km, updated_at = excluded.updated_at, revision = excluded.revision
            WHERE NOT gazetteer.removed
              AND (gazetteer.name, gazetteer.key, gazetteer.aliases, gazetteer.kind, gazetteer.lat, gazetteer.lng,
                   gazetteer.population, gazetteer.radius_km)
                  IS DISTINCT FROM (excluded.name, excluded.key, excluded.aliases, excluded.kind, excluded.lat,
                                    excluded.lng, excluded.population, excluded.radius_km)`,
      )
      yield* storeAuditEntry({ ...audit, after: counts })
    }
    yield* run(sql`DELETE FROM staged_places WHERE import_id = ${importId}`)
    return counts!
  },

  *discardStaged(before, importId) {
    yield* run(sql`DELETE FROM staged_places WHERE updated_at < ${before} OR import_id = ${importId ?? null}`)
  },
} satisfies QueriesOf<StoredGazetteer>

/** Makes the other writers wait until the transaction ends. */
function lockHead(): Query<void> {
  return onPostgres(sql`SELECT revision FROM gazetteer_head FOR UPDATE`)
}

function* nextRevision(): Query<number> {
  const head = yield* first<{ revision: number }>(sql`SELECT revision FROM gazetteer_head ${FOR_UPDATE}`)
  const revision = head!.revision + 1
  yield* run(sql`UPDATE gazetteer_head SET revision = ${revision} ${ALSO_NOTIFY.gazetteer}`)
  return revision
}
