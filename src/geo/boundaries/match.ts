import type { Lga, Places } from '../../domain/places.ts'
import { type Box, isInBox } from '../../lib/geometry/geometry.ts'
import { lgaRecords, toBox } from '../data.ts'
import type { NamedArea } from './geojson.ts'

/** Boxes of the same LGA in two editions share more than this of their union; those of neighbours share less. */
const SAME_PLACE = 0.8
/** A name counts for a namesake only where the boxes overlap at all well. */
const SAME_REGION = 0.3
/** In degrees: how far the centre of an LGA without a box may be from an area that bears its name. */
const NEAR = 0.5

export interface Match {
  readonly lga: Lga
  readonly area: NamedArea
  /** By its name, or, the name being unknown, by where it lies. */
  readonly by: 'name' | 'place'
}

export interface Matching {
  readonly matches: readonly Match[]
  /** Areas of the file that are no LGA of ours. */
  readonly strangers: readonly NamedArea[]
  /** Areas whose LGA another area of the file was matched to before. */
  readonly repeated: readonly Match[]
  /** LGAs that the file has no area for. */
  readonly missing: readonly Lga[]
}

const boxes = new Map(lgaRecords.map(({ code, box }) => [code, box && toBox(box)]))

/** Which LGA each area is: by name within its state; without a state, by name and place; with an unknown name, by place alone. */
export function matchAreas(areas: readonly NamedArea[], places: Places): Matching {
  const matches = new Map<string, Match>()
  const repeated: Match[] = []
  const unnamed: NamedArea[] = []
  for (const area of areas) {
    const lga = byName(area, places)
    if (!lga) unnamed.push(area)
    else if (matches.has(lga.code)) repeated.push({ lga, area, by: 'name' })
    else matches.set(lga.code, { lga, area, by: 'name' })
  }
  const strangers: NamedArea[] = []
  for (const area of unnamed) {
    const free = places.lgas.filter(({ code }) => !matches.has(code))
    const best = mostAlike(area, free)
    if (best && best.likeness >= SAME_PLACE) matches.set(best.lga.code, { lga: best.lga, area, by: 'place' })
    else strangers.push(area)
  }
  const missing = places.lgas.filter(({ code }) => !matches.has(code))
  return { matches: [...matches.values()], strangers, repeated, missing }
}

function byName(area: NamedArea, places: Places): Lga | null {
  if (area.name === null) return null
  const state = area.state === null ? null : places.findState(area.state)
  const found = places.findLga(area.name, state?.kind === 'found' ? [state.place.code] : null)
  if (found.kind === 'found') return state?.kind === 'found' || likeness(area, found.place) !== 0 ? found.place : null
  if (found.kind !== 'ambiguous') return null
  const best = mostAlike(area, found.places)
  return best && best.likeness >= SAME_REGION ? best.lga : null
}

function mostAlike(area: NamedArea, lgas: readonly Lga[]): { lga: Lga; likeness: number } | null {
  let best: { lga: Lga; likeness: number } | null = null
  for (const lga of lgas) {
    const alike = likeness(area, lga) ?? nearness(area, lga)
    if (!best || alike > best.likeness) best = { lga, likeness: alike }
  }
  return best
}

/** What the two boxes share, from 0 to 1; null where the LGA's box is not known. */
function likeness({ area }: NamedArea, lga: Lga): number | null {
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

/** Without a box: whether the LGA's centre is near, which is enough to tell namesakes apart: they are states away. */
function nearness({ area: { box } }: NamedArea, { lat, lng }: Lga): number {
  const { west, south, east, north } = box
  const reach = { west: west - NEAR, south: south - NEAR, east: east + NEAR, north: north + NEAR }
  return isInBox(reach, lat, lng) ? SAME_REGION : 0
}

function size({ west, south, east, north }: Box): number {
  return Math.max(0, east - west) * Math.max(0, north - south)
}
