import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MIXES, STATES, WATERSIDE } from '../../src/demo/mixes.ts'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { places } from '../../src/geo/places.ts'
import { TEN_YEARS } from './small-places.ts'

const incidents = [...syntheticIncidents({ places, seed: 5, count: 20_000, ...TEN_YEARS })]

test('every state has incidents', () => {
  assert.deepEqual(
    [...new Set(incidents.map(({ location }) => location.state_code))].sort(),
    places.states.map(({ code }) => code).sort(),
  )
})

test('every type happens', () => {
  assert.deepEqual([...new Set(incidents.map(({ type }) => type))].sort(), [...TYPE_NAMES].sort())
})

test('names and codes agree with the gazetteer', () => {
  const lgas = new Map(places.lgas.map((lga) => [lga.code, lga]))
  for (const { state, lga, location } of incidents) {
    const found = location.lga_code === null ? null : lgas.get(location.lga_code)!
    assert.equal(places.states.find(({ code }) => code === location.state_code)?.name, state)
    assert.equal(found?.name ?? null, lga)
    if (found) assert.equal(found.state.code, location.state_code)
  }
})

test('every state, hotspot and waterside LGA of the tables exists', () => {
  assert.deepEqual(Object.keys(STATES).sort(), places.states.map(({ code }) => code).sort())
  for (const [code, { hotspots }] of Object.entries(STATES)) {
    for (const name of [...hotspots, ...(WATERSIDE[code] ?? [])]) {
      assert.equal(places.findLga(name, [code]).kind, 'found', `${name}, ${code}`)
    }
  }
})

test('a state with piracy has a waterside', () => {
  for (const [code, { mix }] of Object.entries(STATES)) {
    assert.equal('piracy' in MIXES[mix], code in WATERSIDE, code)
  }
})

test('Borno has insurgents, Zamfara bandits, Plateau farmers and herders, Imo separatists', () => {
  const commonest = (state: string) => {
    const counts = Map.groupBy(
      incidents.filter((incident) => incident.state === state),
      ({ type }) => type,
    )
    return [...counts].sort((a, b) => b[1].length - a[1].length)[0]![0]
  }
  assert.deepEqual(['Borno', 'Zamfara', 'Plateau', 'Imo'].map(commonest), [
    'insurgent_attack',
    'banditry',
    'farmer_herder_clash',
    'separatist_violence',
  ])
})

test('each year has more incidents than the previous one', () => {
  const years = Map.groupBy(incidents, ({ published_at }) => published_at!.slice(0, 4))
  const counts = [...years.values()].map((ones) => ones.length)
  assert.equal(counts.length, 10)
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  )
})
