import { readFileSync } from 'node:fs'
import { places } from '../places.ts'
import { BoundariesFormatError, readFeatures } from './geojson.ts'
import { type Matching, matchAreas } from './match.ts'

export interface Boundaries extends Matching {
  /** Remarks for the log at startup; empty where everything matched. */
  readonly notes: readonly string[]
}

/** Reads the operator's file and matches its areas to the LGAs. Throws `BoundariesFormatError`. */
export function readBoundaries(file: string): Boundaries {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new BoundariesFormatError(`${file}: ${(error as Error).message}`)
  }
  try {
    return boundariesOf(text)
  } catch (error) {
    if (error instanceof BoundariesFormatError) throw new BoundariesFormatError(`${file}: ${error.message}`)
    throw error
  }
}

export function boundariesOf(text: string): Boundaries {
  const areas = readFeatures(text)
  const usable = areas.filter(({ area }) => area.rings.length > 0)
  if (usable.length === 0) throw new BoundariesFormatError('the file has no polygon in Nigeria')
  const matching = matchAreas(usable, places)
  const faulty = areas.filter(({ problems }) => problems.length > 0)
  return {
    ...matching,
    notes: [...describeMatching(matching), ...faulty.map((area) => `${areaLabel(area)}: ${area.problems[0]}`)],
  }
}

export function describeMatching({ matches, unmatched, duplicates, missing }: Matching): string[] {
  return [
    ...matches
      .filter(({ by }) => by === 'place')
      .map(({ area, lga }) => `${areaLabel(area)} is matched to ${lga.name} (${lga.state.name}) by its location`),
    ...unmatched.map((area) => `${areaLabel(area)} is not a known LGA`),
    ...duplicates.map(({ area, lga }) => `${areaLabel(area)} is ${lga.name} (${lga.state.name}) a second time`),
    ...missing.map((lga) => `${lga.name} (${lga.state.name}) is missing`),
  ]
}

export function areaLabel({
  number,
  name,
  state,
}: {
  number: number
  name: string | null
  state: string | null
}): string {
  const where = state === null ? '' : ` (${state})`
  return name === null ? `feature ${number}, without a name` : `“${name}”${where}`
}
