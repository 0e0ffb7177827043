import { nameKey } from '../../geo/name-key.ts'
import { extentOf } from './extent.ts'
import { kindOfTags, nameOfTags, otherNames, type Tags } from './osm-tags.ts'
import {
  fault,
  leftOut,
  MAX_NAME_LENGTH,
  type ParsedPlaceRow,
  placeIdentity,
  pointFault,
  readPopulation,
  usableAliases,
} from './parsed-place.ts'

interface Feature {
  readonly id?: unknown
  readonly geometry?: { readonly coordinates?: unknown } | null
  readonly properties?: Tags | null
}

const MAX_RADIUS_KM = 200

/** A feature of an export of OpenStreetMap (HOT, Overpass), or with our own members. */
export function parseFeature(value: unknown): ParsedPlaceRow {
  if (typeof value !== 'object' || value === null || (value as { type?: unknown }).type !== 'Feature')
    return fault('is not a GeoJSON feature')
  const feature = value as Feature
  const tags = tagsOf(feature.properties ?? {})
  const kind = kindOfTags(tags)
  if (kind === null) return leftOut('kind')
  const name = nameOfTags(tags, (text) => nameKey(text) !== '')
  if (name === null) return leftOut('unnamed')
  if (name.length > MAX_NAME_LENGTH) return fault(`the name is longer than ${MAX_NAME_LENGTH} characters`)
  if (feature.geometry == null) return leftOut('geometry')
  const extent = extentOf(feature.geometry.coordinates)
  if (extent === null) return fault('the geometry has no positions of two numbers')
  const { lat, lng } = extent
  const wrong = pointFault(lat, lng)
  if (wrong !== null) return fault(wrong)
  return {
    kind: 'place',
    sourceId: identityOf(feature, tags) ?? placeIdentity(kind, name, lat, lng),
    name,
    aliases: usableAliases(name, otherNames(tags)),
    placeKind: kind,
    lat,
    lng,
    population: readPopulation(tags.population),
    radiusKm: radiusOf(tags, kind === 'settlement' ? 0 : extent.radiusKm),
  }
}

/** HOT's exports have tags as properties, or in a member of their own. */
function tagsOf(properties: Tags): Tags {
  const { tags } = properties
  return typeof tags === 'object' && tags !== null ? { ...properties, ...tags } : properties
}

/** Null for a point, which has the usual radius of its kind. */
function radiusOf(tags: Tags, ofGeometry: number): number | null {
  const own = Number(tags.radius_km ?? Number.NaN)
  const radius = own > 0 ? own : ofGeometry
  return radius > 0 ? Math.min(MAX_RADIUS_KM, Math.max(1, Math.round(radius * 10) / 10)) : null
}

/** The element of OpenStreetMap; null where it is not given. */
function identityOf({ id }: Feature, tags: Tags): string | null {
  const type = typeof tags.osm_type === 'string' ? `${tags.osm_type}/` : ''
  for (const given of [id, tags['@id'], tags.osm_id, tags.id]) {
    if ((typeof given === 'string' && given !== '') || typeof given === 'number')
      return given === tags.osm_id ? `${type}${given}` : String(given).slice(0, 200)
  }
  return null
}
