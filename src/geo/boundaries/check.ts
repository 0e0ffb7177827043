import { createHash } from 'node:crypto'
import { intersectsItself } from '../../lib/geometry/ring.ts'
import { places } from '../places.ts'
import { BoundariesFormatError, type NamedArea, readFeatures } from './geojson.ts'
import { type Matching, matchAreas } from './match.ts'
import { called, notesOn } from './read-boundaries.ts'

export interface BoundariesReport {
  /** Whether the file may be installed. */
  readonly ok: boolean
  readonly sha256: string
  readonly bytes: number
  readonly polygons: number
  readonly matched: number
  /** What forbids installing it. */
  readonly problems: readonly string[]
  /** What the operator should know. */
  readonly warnings: readonly string[]
  /** Null where the file could not be read at all. */
  readonly matching: Matching | null
}

/** Whether the bytes are the boundaries of all 774 LGAs, each once, each with rings that enclose something. */
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
    ...(areas.length === places.lgas.length ? [] : [`it has ${areas.length} areas, not ${places.lgas.length}`]),
    ...notesOn({ ...matching, matches: [] }),
    ...areas.flatMap((area) => area.faults.map((fault) => `${called(area)}: ${fault}`)),
  ]
  const warnings = [
    ...notesOn({ matches: byPlace, strangers: [], repeated: [], missing: [] }),
    ...areas
      .filter(({ area }) => area.rings.some(intersectsItself))
      .map((area) => `${called(area)}: a ring crosses itself`),
  ]
  const counts = { polygons: areas.length, matched: matching.matches.length }
  return { ok: problems.length === 0, ...file, ...counts, problems, warnings, matching }
}
