import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FollowedTrends, readTrends, type Trends } from '../../../../src/api/trends/followed-trends.ts'
import { Archive } from '../../../../src/archive/archive.ts'
import type { Incident } from '../../../../src/domain/incident.ts'
import { SEVERITIES, TYPE_NAMES } from '../../../../src/domain/taxonomy.ts'
import { parseTrendQuestion, type TrendQuestion } from '../../../../src/filter/trend-question.ts'
import { places } from '../../../../src/geo/places.ts'
import { seededRandom } from '../../../../src/lib/random.ts'
import { runToEnd } from '../../../../src/lib/steps.ts'
import { anEvent, aSnapshot } from '../../../support/archive.ts'
import { anIncident } from '../../../support/incident.ts'

const DAY = 24 * 3_600_000
const NOW = Date.parse('2026-11-10T12:00:00Z')
const LGAS = ['NG-KD', 'NG-LA'].flatMap((code) => places.lgas.filter(({ state }) => state.code === code).slice(0, 6))

const question = (query: string): TrendQuestion => parseTrendQuestion(new URLSearchParams(query), places, NOW)
const fresh = (archive: Archive, asked: TrendQuestion, now = NOW): Trends =>
  runToEnd(readTrends(archive.view, asked, now))

/** An incident somewhere in the last years, or a bit outside of what is counted. */
function someIncident(number: number, random: () => number): Incident {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  const lga = pick(LGAS)
  const occurredAt = NOW - random() ** 2 * 7 * 365 * DAY
  const isImported = random() < 0.2
  const { location } = anIncident(number)
  return anIncident(number, {
    occurred_at: new Date(occurredAt).toISOString(),
    published_at: new Date(Math.min(NOW, occurredAt + (isImported ? 0 : random() * 80 * DAY))).toISOString(),
    state: lga.state.name,
    lga: random() < 0.1 ? null : lga.name,
    lat: lga.lat,
    lng: lga.lng,
    type: pick(TYPE_NAMES),
    severity: pick(SEVERITIES),
    summary: random() < 0.5 ? 'Gunmen closed the bridge.' : 'Gunmen closed the road.',
    location: { ...location, state_code: lga.state.code, lga_code: random() < 0.1 ? null : lga.code },
    ...(isImported ? { dataset: 'ucdp' } : {}),
  })
}

async function archiveWith(count: number, random: () => number) {
  const incidents = Array.from({ length: count }, (_, number) => someIncident(number + 1, random))
  incidents.sort((one, other) => Date.parse(one.published_at!) - Date.parse(other.published_at!))
  return { archive: await Archive.load(aSnapshot(incidents)), incidents }
}

const ASKED = [
  'period=month',
  'period=week&time_zone=Africa/Lagos',
  'period=month&group_by=lga',
  'period=week&group_by=state&type=kidnapping,armed_robbery',
  'period=month&group_by=category&dataset=none',
  'period=month&group_by=severity&near=10.5,7.4&radius_km=100',
  'period=month&group_by=type&at=2024-05-01&periods=4',
  'period=month&group_by=state&q=bridge',
]

describe('followed trends', () => {
  test('equal those of a new count after any events, and are the same object while nothing in them changes', async () => {
    const random = seededRandom(20)
    const { archive, incidents } = await archiveWith(600, random)
    const followed = ASKED.map((query) => ({
      query,
      asked: question(query),
      trends: new FollowedTrends(question(query)),
    }))
    const kept = new Map<string, Trends>()
    let [same, changed] = [0, 0]
    for (let round = 0; round < 40; round++) {
      const events = Array.from({ length: Math.floor(random() * 3) }, () => {
        const number = incidents.length + 1
        const known = incidents[Math.floor(random() * incidents.length)]!
        const kind = random()
        // A new one, a correction, a correction of the words alone, or a retraction.
        if (kind < 0.4) incidents.push(someIncident(number, random))
        if (kind < 0.4) return incidents.at(-1)!
        if (kind < 0.6) return { ...someIncident(number, random), id: known.id }
        return kind < 0.8 ? { ...known, summary: 'Corrected.' } : { ...known, status: 'retracted' as const }
      })
      archive.apply(events.map((incident, at) => anEvent(archive.head.seq + 1 + at, incident)))
      for (const { query, asked, trends } of followed) {
        const read = runToEnd(trends.read(archive, archive.view, NOW))
        assert.deepEqual(read, fresh(archive, asked), `${query} in round ${round}`)
        if (kept.get(query) === read) same++
        else changed++
        kept.set(query, read)
      }
    }
    assert.ok(same > 60 && changed > 60, `${same} the same, ${changed} others`)
  })

  test('the next day, the next month, another archive and lost events are counted anew', async () => {
    const random = seededRandom(4)
    const { archive } = await archiveWith(400, random)
    const asked = question('period=month&group_by=state')
    const trends = new FollowedTrends(asked)
    const read = (of: Archive, now: number) => runToEnd(trends.read(of, of.view, now))
    const first = read(archive, NOW)
    assert.equal(read(archive, NOW + 3_600_000), first)
    for (const days of [1, 30])
      assert.deepEqual(read(archive, NOW + days * DAY), fresh(archive, asked, NOW + days * DAY))
    const { archive: other } = await archiveWith(300, random)
    assert.deepEqual(read(other, NOW), fresh(other, asked))
    for (let number = 0; number < 2100; number++)
      other.apply([anEvent(301 + number, someIncident(1000 + number, random))])
    assert.deepEqual(read(other, NOW), fresh(other, asked))
  })

  test('a reader of an earlier moment gets the trends of that moment', async () => {
    const random = seededRandom(5)
    const { archive } = await archiveWith(400, random)
    const asked = question('period=month&group_by=lga')
    const trends = new FollowedTrends(asked)
    using _pin = archive.pin()
    const earlier = archive.view
    const slow = trends.read(archive, earlier, NOW)
    for (let step = 0; step < 5; step++) slow.next()
    archive.apply(Array.from({ length: 30 }, (_, at) => anEvent(401 + at, someIncident(500 + at, random))))
    const newest = runToEnd(trends.read(archive, archive.view, NOW))
    assert.deepEqual(runToEnd(slow), runToEnd(readTrends(earlier, asked, NOW)))
    assert.equal(runToEnd(trends.read(archive, archive.view, NOW)), newest)
    assert.deepEqual(runToEnd(trends.read(archive, earlier, NOW)), runToEnd(readTrends(earlier, asked, NOW)))
  })

  test('a gap of the feed and the last incident of a group are noticed', async () => {
    // Every month of six years has incidents in Kaduna, but one of March 2024 only, and Lagos one
    // in all.
    const monthly = Array.from({ length: 72 }, (_, month) => Date.UTC(2020, 10 + month, 15))
    const isQuiet = (at: number) => at > Date.UTC(2024, 1, 1) && at < Date.UTC(2024, 4, 1)
    const times = monthly.flatMap((at) => (isQuiet(at) ? [] : [at, at + DAY, at + 2 * DAY]))
    const timed = (number: number, at: number, more: Partial<Incident> = {}) =>
      anIncident(number, { occurred_at: new Date(at).toISOString(), published_at: new Date(at).toISOString(), ...more })
    const incidents = times.map((at, number) => timed(number + 1, at))
    const { location } = incidents[0]!
    const lagos = timed(901, NOW - 2 * DAY, { location: { ...location, state_code: 'NG-LA', lga_code: null } })
    const march = timed(902, Date.UTC(2024, 2, 15), { location: { ...location, state_code: 'NG-KN', lga_code: null } })
    const archive = await Archive.load(aSnapshot(incidents))
    const [kaduna, states] = ['period=month&state=NG-KD', 'period=month&group_by=state'].map(question) as [
      TrendQuestion,
      TrendQuestion,
    ]
    const followed = [kaduna, states].map((asked) => new FollowedTrends(asked))
    const read = () => followed.map((trends) => runToEnd(trends.read(archive, archive.view, NOW)))
    const enough: boolean[] = []
    for (const [at, incident] of [
      lagos,
      march,
      { ...march, status: 'retracted' as const },
      { ...lagos, status: 'retracted' as const },
    ].entries()) {
      archive.apply([anEvent(incidents.length + 1 + at, incident)])
      const [ofKaduna, ofStates] = read()
      assert.deepEqual(ofKaduna, fresh(archive, kaduna))
      assert.deepEqual(ofStates, fresh(archive, states))
      enough.push(ofKaduna!.groups[0]!.enoughHistory)
    }
    // With an incident in Kano in March, the records of Kaduna have no gap.
    assert.deepEqual(enough, [false, true, false, false])
  })

  test('a view that is neither the oldest nor the newest gets its own trends', async () => {
    const random = seededRandom(6)
    const { archive } = await archiveWith(300, random)
    const asked = question('period=month&group_by=lga')
    const trends = new FollowedTrends(asked)
    runToEnd(trends.read(archive, archive.view, NOW))
    const publishSome = () =>
      archive.apply(
        Array.from({ length: 20 }, (_, at) =>
          anEvent(archive.head.seq + 1 + at, someIncident(archive.head.seq + 1 + at, random)),
        ),
      )
    publishSome()
    using _pin = archive.pin()
    const between = archive.view
    publishSome()
    assert.deepEqual(runToEnd(trends.read(archive, between, NOW)), runToEnd(readTrends(between, asked, NOW)))
    assert.deepEqual(runToEnd(trends.read(archive, archive.view, NOW)), fresh(archive, asked))
  })
})
