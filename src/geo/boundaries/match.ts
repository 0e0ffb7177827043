import type { Lga, Places } from '../../domain/places.ts'
import { type Box, isInBox } from '../../lib/geometry.ts'
import { lgaRecords, toBox } from '../data.ts'
import type { NamedArea } from './geojson.ts'

/** Two editions of an LGA's box overlap by more of their union than this; neighbours by less. */
const SAME_LGA_OVERLAP = 0.8
/** Least overlap for choosing between LGAs of the same name. */
const NAMESAKE_OVERLAP = 0.3
/** Largest distance, in degrees, between an area and the centre of an LGA without a box. */
const MAX_CENTRE_DISTANCE = 0.5

export interface Match {
  readonly lga: Lga
  readonly area: NamedArea
  /** Matched by name, or, where the name is unknown, by location. */
  readonly by: 'name' | 'place'
}

export interface Matching {
  readonly matches: readonly Match[]
  readonly unmatched: readonly NamedArea[]
  /** Areas whose LGA has already matched another area of the file. */
  readonly duplicates: readonly Match[]
  readonly missing: readonly Lga[]
}

const boxes = new Map(lgaRecords.map(({ code, box }) => [code, box && toBox(box)]))

/** Matches by name and state; without a state, by name and location; unknown names, by location. */
export function matchAreas(areas: readonly NamedArea[], places: Places): Matching {
  const matches = new Map<string, Match>()
  const duplicates: Match[] = []
  const unnamed: NamedArea[] = []
  for (const area of areas) {
    const lga = byName(area, places)
    if (!lga) unnamed.push(area)
    else if (matches.has(lga.code)) duplicates.push({ lga, area, by: 'name' })
    else matches.set(lga.code, { lga, area, by: 'name' })
  }
  const unmatched: NamedArea[] = []
  for (const area of unnamed) {
    const free = places.lgas.filter(({ code }) => !matches.has(code))
    const best = bestOverlap(area, free)
    if (best && best.overlap >= SAME_LGA_OVERLAP) matches.set(best.lga.code, { lga: best.lga, area, by: 'place' })
    else unmatched.push(area)
  }
  const missing = places.lgas.filter(({ code }) => !matches.has(code))
  return { matches: [...matches.values()], unmatched, duplicates, missing }
}

function byName(area: NamedArea, places: Places): Lga | null {
  if (area.name === null) return null
  const state = area.state === null ? null : places.findState(area.state)
  const found = places.findLga(area.name, state?.kind === 'found' ? [state.place.code] : null)
  if (found.kind === 'found') return state?.kind === 'found' || overlap(area, found.place) !== 0 ? found.place : null
  if (found.kind !== 'ambiguous') return null
  const best = bestOverlap(area, found.places)
  return best && best.overlap >= NAMESAKE_OVERLAP ? best.lga : null
}

function bestOverlap(area: NamedArea, lgas: readonly Lga[]): { lga: Lga; overlap: number } | null {
  let best: { lga: Lga; overlap: number } | null = null
  for (const lga of lgas) {
    const alike = overlap(area, lga) ?? overlapByCentre(area, lga)
    if (!best || alike > best.overlap) best = { lga, overlap: alike }
  }
  return best
}

/** Overlap of the two boxes, from 0 to 1; null where the LGA has no box. */
function overlap({ area }: NamedArea, lga: Lga): number | null {
  const box = boxes.get(lga.code)
  if (!box) return null
  const shared = size({
    west: Math.max(area.box.west, box.west),
    south: Math.max(area.box.south, box.south),
    east: Math.min(area.box.east, box.east),
    north: Math.min(area.box.north, box.north),
  })
  return shared === 0 ? 0 : shared / (size(area.box) + size(box) - shared)
}

/** For LGAs without a box: namesakes are states apart, so a near centre is enough. */
function overlapByCentre({ area: { box } }: NamedArea, { lat, lng }: Lga): number {
  const { west, south, east, north } = box
  const reach = {
    west: west - MAX_CENTRE_DISTANCE,
    south: south - MAX_CENTRE_DISTANCE,
    east: east + MAX_CENTRE_DISTANCE,
    north: north + MAX_CENTRE_DISTANCE,
  }
  return isInBox(reach, lat, lng) ? NAMESAKE_OVERLAP : 0
}

function size({ west, south, east, north }: Box): number {
  return Math.max(0, east - west) * Math.max(0, north - south)
}
