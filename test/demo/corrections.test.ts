import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corrected, retracted } from '../../src/demo/live-feed.ts'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { severityOf } from '../../src/domain/incident.ts'
import { places } from '../../src/geo/places.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { timeText } from '../../src/lib/time.ts'
import { TEN_YEARS } from './small-places.ts'

const incidents = [...syntheticIncidents({ places, seed: 11, count: 5000, ...TEN_YEARS })]
const now = TEN_YEARS.until

test('a correction raises one figure and mentions it, twice in a row', () => {
  const random = seededRandom(1)
  for (const incident of incidents) {
    const once = corrected(incident, now, random)
    if (!once) continue
    const twice = corrected(once, now + 1, random) ?? once
    for (const [before, after] of [
      [incident, once],
      [once, twice],
    ] as const) {
      if (before === after) continue
      const risen = (['killed', 'injured', 'abducted'] as const).filter(
        (harm) => after.casualties[harm] !== before.casualties[harm],
      )
      assert.equal(risen.length, 1)
      assert.ok(after.casualties[risen[0]!]! > (before.casualties[risen[0]!] ?? 0))
      assert.equal(after.version, before.version + 1)
      assert.equal(after.severity, severityOf(after.type, after.casualties))
      assert.notEqual(after.summary, before.summary)
      assert.ok(after.summary.length <= 260, after.summary)
      assert.match(after.summary, /^\[Synthetic\] [A-Z][^.]*\. [A-Z][^.]*\.$/)
      assert.deepEqual(Object.keys(after), Object.keys(before))
    }
    assert.equal(once.updated_at, timeText(now))
    assert.equal(once.published_at, incident.published_at)
  }
})

test('a release has no figure that could rise', () => {
  const release = incidents.find(({ type }) => type === 'hostage_release')!
  assert.equal(corrected(release, now, seededRandom(1)), null)
})

test('a kidnapping never grows into a mass abduction', () => {
  const kidnapping = incidents.find(({ type, casualties }) => type === 'kidnapping' && casualties.abducted === 9)!
  const random = seededRandom(1)
  for (let time = 0; time < 50; time++) assert.equal(corrected(kidnapping, now, random)?.casualties.abducted, 9)
})

test('a retraction is the next version of the same incident', () => {
  const [incident] = incidents
  assert.deepEqual(retracted(incident!, now), {
    ...incident,
    status: 'retracted',
    version: 2,
    updated_at: timeText(now),
  })
})
