import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LiveGazetteer, type NamedPlace, RANKS } from '../../src/geo/gazetteer.ts'
import { places } from '../../src/geo/places.ts'

const KADUNA = places.states.find(({ name }) => name === 'Kaduna')!

function aPlace(name: string, changes: Partial<NamedPlace> = {}): NamedPlace {
  return {
    name,
    lat: 10.5,
    lng: 7.4,
    state: KADUNA,
    lga: null,
    population: 0,
    kind: 'settlement',
    others: [],
    ...changes,
  }
}

test('a place is found by its name and its aliases until it is removed', () => {
  const gazetteer = new LiveGazetteer()
  gazetteer.add(aPlace('Gonin Gora', { others: ['Goningora Layout', 'gonin-gora'] }), RANKS.imported, 'one')
  assert.equal(gazetteer.named('goningora')[0]?.name, 'Gonin Gora')
  assert.equal(gazetteer.alsoCalled('goningoralayout')[0]?.name, 'Gonin Gora')
  assert.deepEqual(gazetteer.alsoCalled('goningora'), [])
  assert.equal(gazetteer.similar('goninngora', new Set([KADUNA]))[0]?.name, 'Gonin Gora')
  assert.equal(gazetteer.similar('goninngora', null).length, 1)
  gazetteer.remove('one')
  gazetteer.remove('one')
  assert.deepEqual(
    [
      gazetteer.size,
      gazetteer.named('goningora'),
      gazetteer.alsoCalled('goningoralayout'),
      gazetteer.similar('goninngora', null),
    ],
    [0, [], [], []],
  )
})

test('the same id replaces a place', () => {
  const gazetteer = new LiveGazetteer()
  gazetteer.add(aPlace('Old Name', { others: ['Elder'] }), RANKS.desk, 'one')
  gazetteer.add(aPlace('New Name'), RANKS.desk, 'one')
  assert.deepEqual([gazetteer.size, gazetteer.named('oldname'), gazetteer.alsoCalled('elder')], [1, [], []])
  assert.equal(gazetteer.named('newname').length, 1)
})

test('entries of one name nearby are one place: the desk’s point, the largest population, all aliases', () => {
  const gazetteer = new LiveGazetteer()
  gazetteer.add(aPlace('Kaya', { others: ['Kaya Gari'], population: 5000, notable: true }), RANKS.builtIn)
  gazetteer.add(aPlace('Kaya', { lat: 10.52, others: ['Kayawa'] }), RANKS.imported, 'imported')
  gazetteer.add(aPlace('Kaya', { lat: 10.51, others: ['Kaia'] }), RANKS.desk, 'desk')
  const [kaya, ...others] = gazetteer.named('kaya')
  assert.deepEqual([kaya?.lat, kaya?.population, kaya?.notable, others.length], [10.51, 5000, true, 0])
  for (const alias of ['kayagari', 'kayawa', 'kaia']) assert.deepEqual(gazetteer.alsoCalled(alias), [kaya])
  gazetteer.remove('desk')
  assert.equal(gazetteer.named('kaya')[0]?.lat, 10.5)
  assert.equal(gazetteer.alsoCalled('kayawa')[0], gazetteer.named('kaya')[0])
  assert.deepEqual(gazetteer.alsoCalled('kaia'), [])
})

test('namesakes far apart, and of other kinds, stay apart', () => {
  const gazetteer = new LiveGazetteer()
  gazetteer.add(aPlace('Kaya'))
  gazetteer.add(aPlace('Kaya', { lat: 11.5 }))
  gazetteer.add(aPlace('Kaya', { kind: 'market' }))
  assert.equal(gazetteer.named('kaya').length, 3)
})
