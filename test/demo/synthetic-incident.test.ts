import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MIXES, STATES, WATERSIDE } from '../../src/demo/mixes.ts'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { isIdentifier } from '../../src/domain/identifier.ts'
import { type Incident, isPublic } from '../../src/domain/incident.ts'
import { categoryOf, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { places as nigeria } from '../../src/geo/places.ts'
import { distanceKm } from '../../src/lib/geometry.ts'
import fc from '../support/fast-check.ts'
import { smallPlaces as places, TEN_YEARS } from './small-places.ts'

const history = { places, seed: 1, count: 4000, ...TEN_YEARS }
const incidents = [...syntheticIncidents(history)]

function each(check: (incident: Incident) => void): void {
  for (const incident of incidents) check(incident)
}

test('the same arguments give the same bytes', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 50 }), (seed, count) => {
      const once = JSON.stringify([...syntheticIncidents({ ...history, seed, count })])
      assert.equal(JSON.stringify([...syntheticIncidents({ ...history, seed, count })]), once)
    }),
    { numRuns: 20 },
  )
})

test('another seed gives other incidents', () => {
  const [other] = syntheticIncidents({ ...history, seed: 2, count: 1 })
  assert.notDeepEqual(other, incidents[0])
})

test('the requested number is generated, each with its own identifier', () => {
  assert.equal(incidents.length, history.count)
  assert.equal(new Set(incidents.map(({ id }) => id)).size, history.count)
  each(({ id }) => assert.ok(isIdentifier('incident', id)))
})

test('they come in published order, within the given window', () => {
  let previous = history.from - 1
  each(({ published_at }) => {
    const published = Date.parse(published_at!)
    assert.ok(published > previous && published < history.until)
    previous = published
  })
})

test('each is confirmed, public and in its first version', () => {
  each((incident) => {
    assert.ok(isPublic(incident))
    assert.equal(incident.version, 1)
    assert.equal(incident.category, categoryOf(incident.type))
  })
})

test('fields are in the order of the interface', () => {
  const order =
    'id type category severity state lga lat lng location confidence confidence_reasons summary sources casualties ' +
    'occurred_at time_precision reported_at confirmed_at published_at updated_at status version'
  each((incident) => {
    assert.equal(Object.keys(incident).join(' '), order)
    assert.equal(Object.keys(incident.location).join(' '), 'place precision radius_km state_code lga_code lga_basis')
  })
})

test('it happens, is reported and is published in that order', () => {
  each(({ occurred_at, reported_at, confirmed_at, published_at, updated_at }) => {
    assert.ok(occurred_at <= reported_at && reported_at <= published_at!)
    assert.equal(confirmed_at, published_at)
    assert.equal(updated_at, published_at)
  })
})

test('a time is rounded to its precision', () => {
  const ends = { exact: ':00Z', hour: ':00:00Z', day: 'T00:00:00Z', week: 'T00:00:00Z' } as const
  each(({ occurred_at, time_precision }) => {
    assert.ok(occurred_at.endsWith(ends[time_precision as keyof typeof ends]), occurred_at)
    if (time_precision === 'week') assert.equal(new Date(occurred_at).getUTCDay(), 1)
  })
})

test('severity follows from what is known of the casualties', () => {
  each(({ severity, casualties: { killed, injured, abducted } }) => {
    const lost = (killed ?? 0) + (abducted ?? 0)
    if (lost >= 10) assert.equal(severity, 'critical')
    else if (lost > 0) assert.equal(severity, 'high')
    else if (injured) assert.notEqual(severity, 'low')
  })
})

test('a mass abduction is one of ten or more, a kidnapping of fewer', () => {
  each(({ type, casualties: { abducted } }) => {
    if (type === 'mass_abduction') assert.ok(abducted! >= 10)
    if (type === 'kidnapping') assert.ok(abducted === null || (abducted >= 1 && abducted < 10))
  })
})

test('figures are often unknown', () => {
  const unknown = incidents.filter(({ casualties }) => casualties.killed === null).length
  assert.ok(unknown > history.count / 4 && unknown < (history.count * 3) / 4)
})

test('the location fits its precision', () => {
  each(({ lga, state, location }) => {
    const { place, precision, state_code, lga_code, lga_basis, radius_km } = location
    assert.ok(radius_km! > 0)
    assert.equal(place !== null, precision === 'exact' || precision === 'settlement')
    assert.equal(places.states.find(({ code }) => code === state_code)?.name, state)
    if (precision === 'state') assert.deepEqual([lga, lga_code, lga_basis], [null, null, null])
    else assert.deepEqual([places.lgas.find(({ code }) => code === lga_code)?.name, lga_basis], [lga, 'reported'])
  })
})

test('an incident lies nearer to its own LGA than to any other', () => {
  each(({ lat, lng, location: { lga_code } }) => {
    if (lga_code === null) return
    const byDistance = places.lgas.toSorted(
      (a, b) => distanceKm(lat, lng, a.lat, a.lng) - distanceKm(lat, lng, b.lat, b.lng),
    )
    assert.equal(byDistance[0]!.code, lga_code)
  })
})

test('the confidence is what its reasons add up to', () => {
  each(({ confidence, confidence_reasons, sources }) => {
    assert.ok(confidence > 0.3 && confidence < 1)
    const sum = confidence_reasons.reduce((total, { weight }) => total + weight, 0)
    assert.equal(Math.round(sum * 100) / 100, confidence)
    assert.equal(confidence_reasons.find(({ reason }) => reason === 'independent_sources')?.value, sources.length)
  })
})

test('sources are visibly synthetic, distinct, and not later than the incident is published', () => {
  each(({ sources, published_at }) => {
    assert.ok(sources.length >= 1 && sources.length <= 3)
    assert.equal(new Set(sources.map(({ publisher }) => publisher)).size, sources.length)
    for (const source of sources) {
      assert.ok(source.url === null || source.url.startsWith('https://example.org/'))
      assert.ok(source.published_at! <= published_at!)
    }
  })
})

describe('nigeria', () => {
  const incidents = [...syntheticIncidents({ places: nigeria, seed: 5, count: 20_000, ...TEN_YEARS })]

  test('every state has incidents', () => {
    assert.deepEqual(
      [...new Set(incidents.map(({ location }) => location.state_code))].sort(),
      nigeria.states.map(({ code }) => code).sort(),
    )
  })

  test('every type happens', () => {
    assert.deepEqual([...new Set(incidents.map(({ type }) => type))].sort(), [...TYPE_NAMES].sort())
  })

  test('names and codes agree with the gazetteer', () => {
    const lgas = new Map(nigeria.lgas.map((lga) => [lga.code, lga]))
    for (const { state, lga, location } of incidents) {
      const found = location.lga_code === null ? null : lgas.get(location.lga_code)!
      assert.equal(nigeria.states.find(({ code }) => code === location.state_code)?.name, state)
      assert.equal(found?.name ?? null, lga)
      if (found) assert.equal(found.state.code, location.state_code)
    }
  })

  test('every state, hotspot and waterside LGA of the tables exists', () => {
    assert.deepEqual(Object.keys(STATES).sort(), nigeria.states.map(({ code }) => code).sort())
    for (const [code, { hotspots }] of Object.entries(STATES)) {
      for (const name of [...hotspots, ...(WATERSIDE[code] ?? [])]) {
        assert.equal(nigeria.findLga(name, [code]).kind, 'found', `${name}, ${code}`)
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
})
