import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keptPosition, packPositions } from '../../src/domain/sites.ts'
import { canonicalObject, EVERYTHING, indexedFieldsOf } from '../../src/filter/filter.ts'
import { conditionsOf, matches } from '../../src/filter/matches.ts'
import { SiteIndex } from '../../src/filter/site-index.ts'
import { distanceKm } from '../../src/lib/geometry.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { filter, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'
import { tries } from '../support/tier.ts'

const NOW = Date.UTC(2026, 0, 1)

test('a filter matches exactly if all of its conditions hold', () => {
  const tally = { matched: 0, refused: 0 }
  fc.assert(
    fc.property(filter, incidentParts, (wanted, parts) => {
      const fields = indexedFieldsOf(incidentFrom(parts, 1))
      const conditions = conditionsOf(wanted, fields, NOW)
      const isMatch = matches(wanted, fields, NOW)
      tally[isMatch ? 'matched' : 'refused']++
      assert.equal(
        conditions.every(({ holds }) => holds),
        isMatch,
      )
      // Each restriction is named; the radius belongs to `near`, and words are not among the
      // indexed fields.
      const names = Object.keys(canonicalObject(wanted)).filter((name) => name !== 'radius_km' && name !== 'q')
      assert.deepEqual(conditions.map(({ condition }) => condition).sort(), names.sort())
    }),
    { numRuns: tries(2_000) },
  )
  assert.ok(tally.matched > 100 && tally.refused > 100, JSON.stringify(tally))
})

test('a condition tells what was wanted and what is', () => {
  const incident = anIncident(1)
  const fields = indexedFieldsOf(incident)
  const wanted = { ...EVERYTHING, states: ['NG-ZA'], minConfidence: 0.1 }
  assert.deepEqual(conditionsOf(wanted, { ...fields, state: 'NG-KD', confidence: 0.5 }, 0), [
    { condition: 'state', wanted: ['NG-ZA'], actual: 'NG-KD', holds: false },
    { condition: 'min_confidence', wanted: 0.1, actual: 0.5, holds: true },
  ])
  assert.deepEqual(conditionsOf({ ...EVERYTHING, incidents: ['inc_1'] }, fields, 0, ['inc_2', 'inc_1']), [
    { condition: 'incident', wanted: ['inc_1'], actual: ['inc_2', 'inc_1'], holds: true },
  ])
  assert.deepEqual(conditionsOf(EVERYTHING, fields, 0), [])
})

describe('site index', () => {
  test('an index finds exactly the sites within whose radius a point lies, nearest first', () => {
    const random = seededRandom(7)
    for (const [size, spread] of [
      [1, 0],
      [40, 10],
      [500, 10],
      [500, 0.2],
      [1000, 12],
    ] as const) {
      const sites = Array.from({ length: size }, () =>
        keptPosition({
          latitude: 3 + random() * spread,
          longitude: 3 + random() * spread,
          radiusKm: random() < 0.1 ? random() * 100 : random() * 20,
        }),
      )
      const index = new SiteIndex('sit_1', 1, packPositions(sites))
      for (let count = 0; count < 400; count++) {
        const [lat, lng] = [2.5 + random() * (spread + 1), 2.5 + random() * (spread + 1)]
        const expected = sites
          .map(({ latitude, longitude, radiusKm }, number) => ({
            number,
            distanceKm: distanceKm(latitude, longitude, lat, lng),
            radiusKm,
          }))
          .filter((each) => each.distanceKm <= each.radiusKm)
          .sort((one, other) => one.distanceKm - other.distanceKm || one.number - other.number)
        const { nearest, count } = index.sitesNear(lat, lng, 20)
        assert.deepEqual(nearest, expected.slice(0, 20))
        assert.equal(count, expected.length)
        assert.equal(index.has(lat, lng), expected.length > 0)
      }
    }
  })

  test('a point is compared exactly at the radius: what the distance says, not a plane', () => {
    const random = seededRandom(11)
    for (let count = 0; count < 3000; count++) {
      const [lat, lng] = [2 + random() * 13, 1.5 + random() * 14.5]
      const [turn, away] = [random() * 2 * Math.PI, (1 + random() * 95) / 111.195]
      const there = { latitude: lat + Math.sin(turn) * away, longitude: lng + Math.cos(turn) * away }
      const distance = distanceKm(there.latitude, there.longitude, lat, lng)
      for (const metres of [-1, 1, 20, -20]) {
        const site = keptPosition({ ...there, radiusKm: distance + metres / 1000 })
        const index = new SiteIndex('sit_1', 1, packPositions([site]))
        const isNear = distanceKm(site.latitude, site.longitude, lat, lng) <= site.radiusKm
        assert.equal(index.has(lat, lng), isNear)
        assert.equal(index.sitesNear(lat, lng, 1).count, isNear ? 1 : 0)
      }
    }
  })
})
