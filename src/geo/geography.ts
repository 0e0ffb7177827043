import type { LgaBasis } from '../domain/incident.ts'
import type { Places } from '../domain/places.ts'
import { type Boundaries, lgasGeoJson, statesGeoJson } from './boundaries.ts'
import { builtInPlaces } from './built-in-places.ts'
import { findPlace } from './finding/find-place.ts'
import { LiveGazetteer, RANKS } from './gazetteer.ts'
import { boundaryLocate, estimatedLocate, type Locate } from './locate.ts'
import { places } from './places.ts'
import type { Roads } from './roads.ts'

/** Nigeria's places, and the functions that locate points and find names. */
export interface Geography {
  readonly places: Places
  readonly locate: Locate
  /** With the built-in places; the operator's are added once the store is open. */
  readonly gazetteer: LiveGazetteer
  /** Searches this gazetteer. */
  readonly findPlace: typeof findPlace
  /** The basis of `locate`: `boundary` with the operator's file, `estimated` without. */
  readonly basis: LgaBasis
  readonly statesGeoJson: Buffer
  /** Null without the operator's boundaries. */
  readonly lgasGeoJson: Buffer | null
  /**
   * The rings of an LGA, longitude before latitude, from the operator's boundaries; null without
   * them.
   */
  readonly lgaRings: ((code: string) => readonly Float64Array[] | null) | null
  /** Null without the operator's roads. */
  readonly roadsGeoJson: Buffer | null
}

export function openGeography(boundaries: Boundaries | null, roads: Roads | null = null): Geography {
  const estimated = estimatedLocate()
  const gazetteer = new LiveGazetteer()
  for (const place of builtInPlaces()) gazetteer.add(place, RANKS.builtIn)
  return {
    places,
    locate: boundaries ? boundaryLocate(boundaries, estimated) : estimated,
    gazetteer,
    findPlace: (text, within, options) => findPlace(text, within, { gazetteer, ...options }),
    basis: boundaries ? 'boundary' : 'estimated',
    statesGeoJson: statesGeoJson(),
    lgasGeoJson: boundaries && lgasGeoJson(boundaries.matches),
    lgaRings: boundaries && ringsByCode(boundaries),
    roadsGeoJson: roads?.geoJson ?? null,
  }
}

function ringsByCode({ matches }: Boundaries): (code: string) => readonly Float64Array[] | null {
  const byCode = new Map(matches.map(({ lga, area }) => [lga.code, area.area.rings]))
  return (code) => byCode.get(code) ?? null
}
