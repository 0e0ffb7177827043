import {
  AREA_PAGES_PATH,
  areaSlug,
  type Lga,
  lgaPath,
  type PlaceLookup,
  type Places,
  type State,
  statePath,
} from '../../domain/places.ts'
import { EVERYTHING, type Filter, type IndexedFields } from '../../filter/filter.ts'
import { MEAN_KM_PER_DEGREE } from '../../geo/data.ts'
import { lazy, memoize } from '../../lib/memoize.ts'
import { readStateShapes } from '../projection.ts'

export type Area =
  | { readonly kind: 'country' }
  | { readonly kind: 'state'; readonly state: State }
  | { readonly kind: 'lga'; readonly state: State; readonly lga: Lga }

export const COUNTRY: Area = { kind: 'country' }

export function stateArea(state: State): Area {
  return { kind: 'state', state }
}

export function lgaArea(lga: Lga): Area {
  return { kind: 'lga', state: lga.state, lga }
}

/** The 812 areas that have a page: the country, its states and its LGAs. */
export function allAreas({ states, lgas }: Places): Area[] {
  return [COUNTRY, ...states.map(stateArea), ...lgas.map(lgaArea)]
}

/** Unique: the code of the state or LGA. */
export function areaCode(area: Area): string {
  return area.kind === 'country' ? 'NG' : area.kind === 'state' ? area.state.code : area.lga.code
}

/** The canonical path of the area's page. */
export function areaPath(area: Area): string {
  if (area.kind === 'country') return AREA_PAGES_PATH
  return area.kind === 'state' ? statePath(area.state.name) : lgaPath(area.state.name, area.lga.name)
}

/** Selects the incidents of the area. */
export function areaFilter(area: Area): Filter {
  if (area.kind === 'country') return EVERYTHING
  return { ...EVERYTHING, states: [area.state.code], lgas: area.kind === 'lga' ? [area.lga.code] : null }
}

/** The filter of the area in the address of the map, such as `state=NG-KD`. */
export function areaQuery(area: Area): URLSearchParams {
  if (area.kind === 'country') return new URLSearchParams()
  return new URLSearchParams({
    state: area.state.code,
    ...(area.kind === 'lga' ? { lga: area.lga.code } : {}),
  })
}

/** The area that an address names. */
export type FoundArea =
  | { readonly kind: 'found'; readonly area: Area }
  /** The address spells the area in another way: by a code, an old name, in capitals. */
  | { readonly kind: 'moved'; readonly area: Area }
  /** The areas that may be meant; `within` is what could be read. */
  | { readonly kind: 'unknown'; readonly within: Area; readonly suggestions: readonly Area[] }

/** Finds the area that `/nigeria/{state}/{lga}` names; null is a part that the address lacks. */
export function findArea(places: Places, stateText: string | null, lgaText: string | null): FoundArea {
  if (stateText === null) return { kind: 'found', area: COUNTRY }
  const state = places.findState(stateText)
  if (state.kind !== 'found')
    return lgaText === null ? withoutState(places, stateText, state) : unknownState(places, state)
  const { place } = state
  if (lgaText === null) return named(stateArea(place), areaSlug(place.name) === stateText)
  const lga = places.findLga(lgaText, [place.code])
  if (lga.kind === 'found')
    return named(lgaArea(lga.place), areaSlug(place.name) === stateText && areaSlug(lga.place.name) === lgaText)
  return { kind: 'unknown', within: stateArea(place), suggestions: suggestedLgas(places, lga, place) }
}

function named(area: Area, isCanonical: boolean): FoundArea {
  return { kind: isCanonical ? 'found' : 'moved', area }
}

/** `/nigeria/chikun` lacks the state, which is no question where only one state has such an LGA. */
function withoutState(places: Places, text: string, state: PlaceLookup<State>): FoundArea {
  const lga = places.findLga(text, null)
  if (lga.kind === 'found') return { kind: 'moved', area: lgaArea(lga.place) }
  const unknown = unknownState(places, state)
  if (lga.kind === 'ambiguous') return { ...unknown, suggestions: lga.places.map(lgaArea) }
  if (unknown.suggestions.length > 0) return unknown
  return { ...unknown, suggestions: suggestedLgas(places, lga, null) }
}

function unknownState(places: Places, state: PlaceLookup<State>): Extract<FoundArea, { kind: 'unknown' }> {
  const names = state.kind === 'unknown' ? state.suggestions : []
  const states = places.states.filter(({ name }) => names.includes(name))
  return { kind: 'unknown', within: COUNTRY, suggestions: states.map(stateArea) }
}

/** An LGA of that name in another state, or one with a similar name. */
function suggestedLgas(places: Places, lookup: PlaceLookup<Lga>, state: State | null): Area[] {
  if (lookup.kind === 'elsewhere' || lookup.kind === 'ambiguous') return lookup.places.map(lgaArea)
  const names = lookup.kind === 'unknown' ? lookup.suggestions : []
  return places.lgas.filter((lga) => (state === null || lga.state === state) && names.includes(lga.name)).map(lgaArea)
}

const NEARBY_LGAS = 8
/** A degree of longitude in degrees of latitude, in the middle of Nigeria. */
const LONGITUDE_SHARE = Math.cos((9 * Math.PI) / 180)

/** The areas beside each area; worked out once. */
export interface Neighbours {
  /** States with a common border, by name. */
  readonly ofState: (code: string) => readonly State[]
  /** The LGAs with the nearest centres, the nearest first. */
  readonly ofLga: (code: string) => readonly NearbyLga[]
}

interface NearbyLga {
  readonly lga: Lga
  /** Between the centres. */
  readonly kilometres: number
}

export function findNeighbours({ states, lgas }: Places, statesGeoJson: Buffer): Neighbours {
  const byState = lazy(() => {
    const vertices = commonVertices(statesGeoJson)
    // A single common one is a corner, no border.
    const isBorder = (one: State, other: State) => one !== other && (vertices.get(`${one.code} ${other.code}`) ?? 0) > 1
    return new Map(states.map((one) => [one.code, states.filter((other) => isBorder(one, other))]))
  })
  return { ofState: (code) => byState().get(code) ?? [], ofLga: (code) => nearestLgas(lgas).get(code) ?? [] }
}

/** The number of vertices that two states share, by their codes: `AB CD`. */
const commonVertices = memoize((statesGeoJson: Buffer): ReadonlyMap<string, number> => {
  const statesAt = new Map<string, Set<string>>()
  for (const { code, rings } of readStateShapes(statesGeoJson))
    for (const position of rings.flat()) {
      const key = position.join()
      const known = statesAt.get(key)
      if (known) known.add(code)
      else statesAt.set(key, new Set([code]))
    }
  const shared = new Map<string, number>()
  for (const codes of statesAt.values())
    if (codes.size > 1)
      for (const one of codes)
        for (const other of codes) shared.set(`${one} ${other}`, (shared.get(`${one} ${other}`) ?? 0) + 1)
  return shared
})

/** Without boundaries of LGAs, which only some operators have, the distance of centres decides. */
const nearestLgas = memoize((lgas: readonly Lga[]): ReadonlyMap<string, NearbyLga[]> => {
  const x = Float64Array.from(lgas, ({ lng }) => lng * LONGITUDE_SHARE)
  const y = Float64Array.from(lgas, ({ lat }) => lat)
  const [nearest, distances] = [new Int32Array(NEARBY_LGAS), new Float64Array(NEARBY_LGAS)]
  return new Map(
    lgas.map((lga, index) => {
      distances.fill(Number.POSITIVE_INFINITY)
      for (let other = 0; other < lgas.length; other++) {
        const distance = (x[other]! - x[index]!) ** 2 + (y[other]! - y[index]!) ** 2
        if (other === index || distance >= distances[NEARBY_LGAS - 1]!) continue
        let at = NEARBY_LGAS - 1
        for (; at > 0 && distances[at - 1]! > distance; at--) {
          distances[at] = distances[at - 1]!
          nearest[at] = nearest[at - 1]!
        }
        distances[at] = distance
        nearest[at] = other
      }
      const nearby = Array.from(nearest, (number, at) => ({
        lga: lgas[number]!,
        kilometres: Math.sqrt(distances[at]!) * MEAN_KM_PER_DEGREE,
      }))
      return [lga.code, nearby]
    }),
  )
})

/** Returns the codes of the areas whose pages count an incident with these fields. */
export type AreasShowing = (incident: Pick<IndexedFields, 'state' | 'lga'>) => Iterable<string>

/**
 * A page shows its own area, the counts of the areas in it, and those of its neighbours: an event
 * changes some twenty of the 812 pages.
 */
export function areasShowing({ states, lgas }: Places, neighbours: Neighbours): AreasShowing {
  const showing = lazy(() => {
    const byCode = new Map<string, Set<string>>()
    const showingOf = (code: string): Set<string> => {
      const known = byCode.get(code) ?? new Set([code])
      byCode.set(code, known)
      return known
    }
    for (const { code } of states) {
      showingOf(code).add(areaCode(COUNTRY))
      for (const neighbour of neighbours.ofState(code)) showingOf(neighbour.code).add(code)
    }
    for (const { code } of lgas) for (const { lga } of neighbours.ofLga(code)) showingOf(lga.code).add(code)
    return byCode
  })
  return ({ state, lga }) => [...(showing().get(state) ?? []), ...(lga === null ? [] : (showing().get(lga) ?? []))]
}
