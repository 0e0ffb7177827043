import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

interface Ground {
  features: { properties: { kind: string; name?: string; rank?: number }; geometry: { coordinates: unknown[] } }[]
}
const textOf = (file: string) => readFileSync(new URL(`../../web/shared/ground/${file}`, import.meta.url), 'utf8')
const first = JSON.parse(textOf('ground.json')) as Ground
const detail = JSON.parse(textOf('ground-detail.json')) as Ground
const namesOf = ({ features }: Ground, kind: string) =>
  features.filter(({ properties }) => properties.kind === kind).map(({ properties }) => properties.name)

test('what loads first has the coast, the lakes, both great rivers, the neighbours and the capitals', () => {
  assert.equal(namesOf(first, 'land').length, 1)
  assert.deepEqual(namesOf(first, 'lake'), ['Lake Chad', 'Kainji Lake'])
  for (const river of ['Niger', 'Benue']) assert.ok(namesOf(first, 'river').includes(river), river)
  for (const river of ['Niger', 'Benue']) assert.ok(namesOf(first, 'river-name').includes(river), river)
  for (const country of ['Niger', 'Chad', 'Cameroon', 'Benin']) assert.ok(namesOf(first, 'country').includes(country))
  for (const town of ['Lagos', 'Abuja', 'Maiduguri', 'Yenagoa', 'Dutse', 'Birnin Kebbi'])
    assert.ok(namesOf(first, 'town').includes(town), town)
})

test('the rest has smaller rivers and towns, none of them twice', () => {
  for (const river of ['Kaduna', 'Sokoto', 'Gongola']) assert.ok(namesOf(detail, 'river').includes(river), river)
  const towns = [first, detail].flatMap(({ features }) =>
    features.filter(({ properties }) => properties.kind === 'town'),
  )
  assert.equal(new Set(towns.map(({ geometry }) => String(geometry.coordinates))).size, towns.length)
  assert.equal(towns.length, 927)
})

test('the ground that loads first is at most 25 kB gzipped', () => {
  for (const file of ['ground.json', 'ground-detail.json']) {
    const bytes = gzipSync(textOf(file), { level: 9 }).length
    assert.ok(bytes > 5_000 && bytes <= 25_000, `${file}: ${bytes} bytes`)
  }
})
