import { readFileSync } from 'node:fs'
import type { Match } from './boundaries/match.ts'

/** Rounds to 1e-4 degrees, which is 11 m: enough at the zoom where LGAs are shown. */
const STEPS_PER_DEGREE = 1e4

export function statesGeoJson(): Buffer {
  return readFileSync(new URL('data/states.geojson', import.meta.url))
}

/** The LGAs' outlines from the operator's boundaries, in the form that `LGA_BOUNDARIES` takes. */
export function lgasGeoJson(matches: readonly Match[]): Buffer {
  const features = matches.map(({ lga: { code, name, state }, area }) => ({
    type: 'Feature',
    id: code,
    properties: { code, lga: name, state: state.name, state_code: state.code },
    geometry: { type: 'MultiPolygon', coordinates: area.polygons.map((rings) => rings.map(positions)) },
  }))
  return Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }))
}

/** Rounds positions and drops those that become equal to the previous one. */
function positions(ring: Float64Array): [number, number][] {
  const all: [number, number][] = []
  for (let at = 0; at < ring.length; at += 2) {
    const lng = Math.round(ring[at]! * STEPS_PER_DEGREE) / STEPS_PER_DEGREE
    const lat = Math.round(ring[at + 1]! * STEPS_PER_DEGREE) / STEPS_PER_DEGREE
    const last = all.at(-1)
    if (last?.[0] !== lng || last[1] !== lat) all.push([lng, lat])
  }
  while (all.length < 4) all.push(all[0]!)
  return all
}
