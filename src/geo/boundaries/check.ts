import { createHash } from 'node:crypto'
import { intersectsItself } from '../../lib/rings.ts'
import { places } from '../places.ts'
import { BoundariesFormatError, type NamedArea, readFeatures } from './geojson.ts'
import { type Matching, matchAreas } from './match.ts'
import { areaLabel, describeMatching } from './read-boundaries.ts'

export interface BoundariesReport {
  /** True if the file may be installed. */
  readonly ok: boolean
  readonly sha256: string
  readonly bytes: number
  readonly polygons: number
  readonly matched: number
  /** Errors that forbid installing it. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** Null where the file could not be read at all. */
  readonly matching: Matching | null
}

/** Requires all 774 LGAs, each once, with rings that enclose an area. */
export function checkBoundaries(bytes: Uint8Array): BoundariesReport {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { sha256, bytes: bytes.length }
  let areas: NamedArea[]
  try {
    areas = readFeatures(new TextDecoder().decode(bytes))
  } catch (error) {
    if (!(error instanceof BoundariesFormatError)) throw error
    return { ok: false, ...file, polygons: 0, matched: 0, problems: [error.message], warnings: [], matching: null }
  }
  const matching = matchAreas(areas, places)
  const byPlace = matching.matches.filter(({ by }) => by === 'place')
  const problems = [
    ...(areas.length === places.lgas.length ? [] : [`the file has ${areas.length} areas, not ${places.lgas.length}`]),
    ...describeMatching({ ...matching, matches: [] }),
    ...areas.flatMap((area) => area.problems.map((fault) => `${areaLabel(area)}: ${fault}`)),
  ]
  const warnings = [
    ...describeMatching({ matches: byPlace, unmatched: [], duplicates: [], missing: [] }),
    ...areas
      .filter(({ area }) => area.rings.some(intersectsItself))
      .map((area) => `${areaLabel(area)}: a ring crosses itself`),
  ]
  const counts = { polygons: areas.length, matched: matching.matches.length }
  return { ok: problems.length === 0, ...file, ...counts, problems, warnings, matching }
}
