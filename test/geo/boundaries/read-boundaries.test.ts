import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundariesOf, readBoundaries } from '../../../src/geo/boundaries/read-boundaries.ts'
import { openGeography } from '../../../src/geo/geography.ts'
import { boundaryLocate, estimatedLocate } from '../../../src/geo/locating/locate.ts'
import { boxFeatures, collection, square } from './fixture.ts'

const estimated = estimatedLocate()
const named = (name: string, ...rings: unknown[]) => ({
  type: 'Feature',
  properties: { ADM2_EN: name, ADM1_EN: 'Kaduna' },
  geometry: { type: 'Polygon', coordinates: rings },
})

test('the error for an unreadable file names the file and the reason', () => {
  assert.throws(() => readBoundaries('/nowhere/lgas.geojson'), /\/nowhere\/lgas\.geojson: .*no such file/)
  assert.throws(() => readBoundaries(import.meta.filename), /read-boundaries\.test\.ts: the file is not JSON/)
})

test('a file without a single usable polygon is refused', () => {
  assert.throws(() => boundariesOf(collection([named('Chikun', [])])), /no polygon in Nigeria/)
})

test('the notes name what did not match, and are empty where everything matched', () => {
  assert.deepEqual(boundariesOf(collection(boxFeatures(({ name }, state) => ({ lga: name, state })))).notes, [])
  const { notes } = boundariesOf(
    collection([named('Chikun', square(7, 10, 8, 11)), named('Atlantis', square(3, 7, 3.1, 7.1))]),
  )
  assert.equal(notes[0], '“Atlantis” (Kaduna) is not a known LGA')
  assert.equal(notes.length, 1 + 773)
})

test('a point in a hole is not in the area around it', () => {
  const around = named('Chikun', square(7, 10, 8, 11), square(7.4, 10.4, 7.6, 10.6))
  const within = named('Kaduna South', square(7.4, 10.4, 7.6, 10.6))
  const locate = boundaryLocate(boundariesOf(collection([around, within])), estimated)
  const lgaAt = (lat: number, lng: number): string => {
    const found = locate(lat, lng)
    return found.kind === 'located' ? `${found.lga.name}, ${found.basis}` : found.kind
  }
  assert.equal(lgaAt(10.2, 7.2), 'Chikun, boundary')
  assert.equal(lgaAt(10.5, 7.5), 'Kaduna South, boundary')
})

test('an LGA that the file lacks is still estimated; a point in a gap goes to the nearest', () => {
  const all = boxFeatures(({ name }, state) => ({ lga: name, state }))
  const lacking = boundariesOf(collection(all.filter(({ properties }) => properties.lga !== 'Abadam')))
  const abadam = boundaryLocate(lacking, estimated)(13.55, 13.2)
  assert.equal(abadam.kind === 'located' && `${abadam.lga.name} ${abadam.basis}`, 'Abadam estimated')

  const alone = { ...boundariesOf(collection([named('Chikun', square(7, 10, 8, 11))])), missing: [] }
  const locate = boundaryLocate(alone, estimated)
  assert.equal(locate(10.5, 8.02).kind, 'located')
  assert.equal(locate(10.5, 8.04).kind, 'outside')
})

test('the geography offers LGA outlines only with the operator’s file, in a form that can be read back', () => {
  assert.equal(openGeography(null).lgasGeoJson, null)
  const boundaries = boundariesOf(collection(boxFeatures(({ name }) => ({ shapeName: name }))))
  const { lgasGeoJson, basis } = openGeography(boundaries)
  assert.equal(basis, 'boundary')
  const again = boundariesOf(lgasGeoJson!.toString())
  assert.deepEqual([again.matches.length, again.notes], [774, []])
})
