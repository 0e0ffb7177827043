import { readFileSync } from 'node:fs'
import { places } from '../places.ts'
import { BoundariesFormatError, readFeatures } from './geojson.ts'
import { type Matching, matchAreas } from './match.ts'

export interface Boundaries extends Matching {
  /** For the log at the start: empty where everything matched. */
  readonly notes: readonly string[]
}

/** The operator's file, its areas matched to our LGAs. Throws, saying what is wrong, where it is no such file. */
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
  if (usable.length === 0) throw new BoundariesFormatError('it has no polygon in Nigeria')
  const matching = matchAreas(usable, places)
  const faulty = areas.filter(({ faults }) => faults.length > 0)
  return { ...matching, notes: [...notesOn(matching), ...faulty.map((area) => `${called(area)}: ${area.faults[0]}`)] }
}

export function notesOn({ matches, strangers, repeated, missing }: Matching): string[] {
  return [
    ...matches
      .filter(({ by }) => by === 'place')
      .map(({ area, lga }) => `${called(area)} is taken for ${lga.name} (${lga.state.name}), by where it lies`),
    ...strangers.map((area) => `${called(area)} is no LGA we know`),
    ...repeated.map(({ area, lga }) => `${called(area)} is ${lga.name} (${lga.state.name}) once more`),
    ...missing.map((lga) => `${lga.name} (${lga.state.name}) is missing`),
  ]
}

export function called({ number, name, state }: { number: number; name: string | null; state: string | null }): string {
  const where = state === null ? '' : ` (${state})`
  return name === null ? `feature ${number}, without a name` : `“${name}”${where}`
}
