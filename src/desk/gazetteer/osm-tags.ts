import { PLACE_KINDS, type PlaceKind } from '../../domain/places.ts'
import { isOneOf } from '../../filter/parameters.ts'

export type Tags = Readonly<Record<string, unknown>>

/** Tags of OpenStreetMap and the kind that they mean; the first that fits. */
const KINDS: readonly (readonly [tag: string, values: RegExp, kind: PlaceKind])[] = [
  [
    'place',
    /^(city|town|village|hamlet|suburb|quarter|neighbourhood|isolated_dwelling|locality|island)$/,
    'settlement',
  ],
  ['amenity', /^marketplace$/, 'market'],
  ['amenity', /^refugee_site$/, 'camp'],
  ['refugee', /^yes$/, 'camp'],
  ['social_facility:for', /refugee|displaced/, 'camp'],
  ['military', /^(barracks|base|camp)$/, 'camp'],
  ['landuse', /^military$/, 'camp'],
  ['landuse', /^forest$/, 'forest'],
  ['natural', /^wood$/, 'forest'],
  ['leisure', /^nature_reserve$/, 'forest'],
  ['boundary', /^(national_park|protected_area|forest)$/, 'forest'],
  ['waterway', /^(river|stream|canal)$/, 'river'],
  ['natural', /^water$/, 'lake'],
  ['natural', /^(peak|hill|mountain_range|ridge)$/, 'mountain'],
  ['highway', /^(motorway|trunk|primary|secondary|tertiary|unclassified|residential|road|track)(_link)?$/, 'road'],
]

/** Null for what is no place of the gazetteer. Our own `kind` is read as well. */
export function kindOfTags(tags: Tags): PlaceKind | null {
  const own = tags.kind
  if (typeof own === 'string' && isOneOf(PLACE_KINDS, own)) return own
  return KINDS.find(([tag, values]) => typeof tags[tag] === 'string' && values.test(tags[tag]))?.[2] ?? null
}

const NAME_TAGS = ['name', 'name:en', 'int_name', 'official_name'] as const
const OTHER_NAMES =
  /^(name|alt_name|old_name|loc_name|short_name|official_name|int_name|name:[a-z_-]+|alt_name:[a-z_-]+)$/

/** The first name in Latin letters; null where there is none. */
export function nameOfTags(tags: Tags, isUsable: (name: string) => boolean): string | null {
  for (const tag of NAME_TAGS) {
    const name = tags[tag]
    if (typeof name === 'string' && isUsable(name.trim())) return name.trim()
  }
  return null
}

/**
 * Every name; several in one tag have semicolons between them. A road is known by its number too.
 */
export function otherNames(tags: Tags): string[] {
  const aliases = Array.isArray(tags.aliases) ? tags.aliases.filter((alias) => typeof alias === 'string') : []
  const tagged = Object.entries(tags).flatMap(([tag, value]) =>
    typeof value === 'string' && (OTHER_NAMES.test(tag) || (tag === 'ref' && tags.highway)) ? value.split(';') : [],
  )
  return [...aliases, ...tagged]
}
