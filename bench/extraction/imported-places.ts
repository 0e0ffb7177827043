import { parseGeoNamesLine } from '../../src/desk/gazetteer/place-files.ts'
import type { NamedPlace } from '../../src/geo/gazetteer.ts'
import { estimatedLocate } from '../../src/geo/geography.ts'
import { readGazetteerText } from './rows.ts'

/** The places that an import of the shared gazetteer would add. */
export function importedPlaces(): NamedPlace[] {
  const locate = estimatedLocate()
  return readGazetteerText()
    .split(/\r?\n/)
    .flatMap((line) => {
      const parsed = line === '' ? null : parseGeoNamesLine(line)
      if (parsed?.kind !== 'place') return []
      const located = locate(parsed.lat, parsed.lng)
      if (located.kind !== 'located') return []
      const { name, lat, lng, population, aliases, placeKind } = parsed
      const { state, lga } = located
      return [{ name, lat, lng, state, lga, population, kind: placeKind, others: aliases }]
    })
}
