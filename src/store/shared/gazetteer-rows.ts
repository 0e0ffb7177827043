import type { PlaceKind, PlaceSource, StoredPlace } from '../../domain/places.ts'
import type { PlaceChange } from '../gazetteer.ts'

export interface PlaceRow {
  id: string
  source: PlaceSource
  source_id: string | null
  name: string
  key: string
  aliases: string
  kind: PlaceKind
  lat: number
  lng: number
  population: number
  radius_km: number | null
  updated_at: number
}

export interface PlaceChangeRow extends PlaceRow {
  revision: number
  removed: number | boolean
}

export function placeOf(row: PlaceRow): StoredPlace {
  const { id, source, name, key, kind, lat, lng, population } = row
  return {
    id,
    source,
    sourceId: row.source_id,
    name,
    key,
    aliases: JSON.parse(row.aliases) as string[],
    kind,
    lat,
    lng,
    population,
    radiusKm: row.radius_km,
    updatedAt: row.updated_at,
  }
}

export function placeChangeOf(row: PlaceChangeRow): PlaceChange {
  return { place: placeOf(row), revision: row.revision, removed: Boolean(row.removed) }
}

/** In the order of the columns, from `id` to `updated_at`. */
export function placeValues(place: StoredPlace) {
  const { id, source, sourceId, name, key, aliases, kind, lat, lng, population, radiusKm, updatedAt } = place
  return [id, source, sourceId, name, key, JSON.stringify(aliases), kind, lat, lng, population, radiusKm, updatedAt]
}

/**
 * The first key that does not begin with `prefix`; keys have the letters a to z and digits only.
 */
export function afterPrefix(prefix: string): string {
  return `${prefix}~`
}
