import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { IncidentFeed } from '../../client/src/index.ts'
import {
  FollowedTrends,
  readTrends,
  type Trends,
  TrendsCache,
  type TrendsWriter,
} from '../../src/api/trends/followed-trends.ts'
import { Archive } from '../../src/archive/archive.ts'
import { SlicedQueries } from '../../src/archive/sliced-queries.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { SEVERITIES, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { parseTrendQuestion, type TrendQuestion } from '../../src/filter/trend-question.ts'
import { places } from '../../src/geo/places.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { anAsker, anEvent, aSnapshot, emptyArchive } from '../support/archive.ts'
import { anIncident } from '../support/incident.ts'

describe('trends', () => {
  const DAY = 24 * 3_600_000
  let now = Date.parse('2026-11-10T12:00:00Z')

  interface Answer {
    data: {
      state?: { key: string; label: string }
      lga?: { key: string } | null
      enough_history: boolean
      reason: string | null
      periods: Record<string, unknown>[]
    }[]
    reporting_delay: { incidents: number; median_days: number } | null
    meta: { seq: number }
  }

  let app: TestApp
  let numbered = 0

  function happened(at: number, state: 'Kaduna' | 'Lagos', delayDays = 1): Incident {
    numbered++
    const { location } = anIncident(numbered)
    const times = {
      occurred_at: new Date(at).toISOString(),
      published_at: new Date(at + delayDays * DAY).toISOString(),
    }
    if (state === 'Kaduna') return anIncident(numbered, times)
    return anIncident(numbered, {
      ...times,
      state: 'Lagos',
      lga: 'Ikeja',
      lat: 6.6,
      lng: 3.35,
      location: { ...location, place: 'Ikeja', state_code: 'NG-LA', lga_code: 'NG-LA-IKEJA' },
    })
  }

  /** Six years with an incident every fourth day in Kaduna, every fifth in Lagos. */
  function history(): Incident[] {
    const incidents: Incident[] = []
    for (let day = 6 * 365 + 30; day > 3; day--) {
      if (day % 4 === 0) incidents.push(happened(now - day * DAY, 'Kaduna'))
      if (day % 5 === 0) incidents.push(happened(now - day * DAY, 'Lagos'))
    }
    return incidents
  }

  async function trends(query: string): Promise<Answer> {
    const response = await app.get(`/v1/trends?${query}`)
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as Answer
  }

  before(async () => {
    app = await startTestApp({}, { clock: () => now })
    await app.publish(history())
    // A bad October in Kaduna.
    const october = Array.from({ length: 20 }, (_, number) => Date.parse('2026-10-05T00:00:00Z') + number * DAY)
    await app.publish(october.map((at) => happened(at, 'Kaduna')))
  })
  after(() => app[Symbol.asyncDispose]())

  describe('GET /v1/trends', () => {
    test('says which state has more than usual, and that another has not', async () => {
      const { data, reporting_delay } = await trends('group_by=state&period=month')
      const [kaduna, lagos] = ['NG-KD', 'NG-LA'].map((code) => data.find(({ state }) => state?.key === code)!)
      assert.equal(kaduna!.enough_history, true)
      const [october, november] = kaduna!.periods
      assert.equal(october!.key, '2026-10')
      assert.equal(october!.verdict, 'higher')
      const usual = october!.usual as { from: number; to: number }
      assert.equal(october!.text, `${october!.observed} in October 2026; ${usual.from} to ${usual.to} would be usual.`)
      assert.ok((october!.observed as number) > usual.to)
      assert.equal(october!.upper_bound, usual.to)
      assert.deepEqual([november!.verdict, november!.incomplete], [null, true])
      assert.equal(lagos!.periods[0]!.verdict, 'not_higher')
      assert.equal(reporting_delay!.median_days, 1)
    })

    test('counts by the time of the event, as a count of its own does', async () => {
      const { data } = await trends('period=month&periods=12&state=Lagos')
      const { data: listed } = (await (await app.get('/v1/incidents?state=Lagos&limit=1000')).json()) as {
        data: Incident[]
      }
      for (const { key, observed } of data[0]!.periods)
        assert.equal(observed, listed.filter(({ occurred_at }) => occurred_at.startsWith(key as string)).length)
    })

    test('months and weeks begin in the time zone', async () => {
      const month = (await trends('period=month&time_zone=Africa/Lagos')).data[0]!.periods[0]!
      assert.deepEqual([month.from, month.to], ['2026-09-30T23:00:00Z', '2026-10-31T23:00:00Z'])
      const week = (await trends('period=week&time_zone=Africa/Lagos')).data[0]!.periods[0]!
      assert.deepEqual([week.key, week.from], ['2026-W45', '2026-11-01T23:00:00Z'])
      assert.match(week.text as string, /in the week of 2 November 2026/)
    })

    test('gives no verdict where history is too thin, and says why', async () => {
      const { data } = await trends('group_by=lga&period=month&at=2022-06-15')
      assert.ok(data.length > 0)
      for (const { enough_history, reason, periods } of data) {
        assert.equal(enough_history, false)
        assert.match(reason!, /^The feed has records of 1 whole year before this without a gap; 3 are needed\.$/)
        for (const { verdict, expected, usual } of periods)
          assert.deepEqual([verdict, expected, usual], [null, null, null])
      }
    })

    test('a type that was never seen is one series of zeros without a verdict', async () => {
      const { data } = await trends('period=week&type=piracy')
      assert.equal(data.length, 1)
      assert.equal(data[0]!.periods[0]!.observed, 0)
      assert.match(data[0]!.reason!, /have 0 incidents; 5 are needed/)
      assert.deepEqual((await trends('period=week&type=piracy&group_by=state')).data, [])
    })

    test('a group alone is told of as it is among all', async () => {
      const all = await trends('group_by=lga&period=month')
      const { data } = await trends('group_by=lga&period=month&only=Chikun')
      assert.deepEqual(data, [all.data.find(({ lga }) => lga?.key === 'NG-KD-CHIKUN')])
      assert.deepEqual((await trends('group_by=lga&period=month&only=NG-LA-IKEJA,Chikun')).data, all.data)
      assert.deepEqual((await trends('group_by=lga&period=month&only=Birnin Kudu')).data, [])
      const errors = [
        ['period=month&only=Kaduna', /only needs group_by/],
        ['period=month&group_by=state&only=Kadunna', /did_you_mean":\["Kaduna"/],
        ['period=month&group_by=lga&only=Obi', /"Obi\\" is in several states; give the code/],
        ['period=month&group_by=type&only=kidnaping', /did_you_mean":\["kidnapping"/],
      ] as const
      for (const [query, message] of errors) {
        const response = await app.get(`/v1/trends?${query}`)
        assert.equal(response.status, 400)
        assert.match(await response.text(), message)
      }
    })

    test('every error is named', async () => {
      const wrong = 'group_by=state,month&period=day&periods=13&at=yesterday&since=7d&stat=Kano'
      const response = await app.get(`/v1/trends?${wrong}`)
      assert.equal(response.status, 400)
      const { code, errors } = (await response.json()) as { code: string; errors: { parameter: string }[] }
      assert.equal(code, 'invalid_parameter')
      assert.deepEqual(errors.map(({ parameter }) => parameter).sort(), [
        ...['at', 'group_by', 'period', 'periods', 'since', 'stat'],
      ])
      const missing = await app.get('/v1/trends')
      assert.match(await missing.text(), /is missing; give week or month/)
      assert.equal((await app.get('/v1/trends?period=week&at=2031-01-01')).status, 400)
      const many = await app.get('/v1/trends?group_by=lga&period=week&periods=12')
      assert.equal(many.status, 400)
      assert.match(await many.text(), /asks for 12 periods of up to 774 LGAs; give at most 5/)
    })

    test('an answer keeps its ETag until an event changes it', async () => {
      const path = '/v1/trends?group_by=state&period=month&periods=1'
      const etag = (await app.get(path)).headers.get('etag')!
      assert.equal((await app.get(path, undefined, { 'if-none-match': etag })).status, 304)
      await app.publish([happened(now - DAY, 'Lagos')])
      const changed = await app.get(path, undefined, { 'if-none-match': etag })
      assert.equal(changed.status, 200)
      assert.equal(((await changed.json()) as Answer).meta.seq, numbered)
    })

    test('an event elsewhere leaves the answer as it is, but for the event up to which it is complete', async () => {
      const path = '/v1/trends?period=month&state=Kaduna'
      const before = await app.get(path)
      const { meta: _before, ...figures } = (await before.json()) as Answer
      await app.publish([happened(now - DAY, 'Lagos')])
      const after = await app.get(path)
      const { meta, ...same } = (await after.json()) as Answer
      assert.deepEqual(same, figures)
      assert.equal(meta.seq, numbered)
      assert.equal(after.headers.get('etag'), before.headers.get('etag'))
      await app.publish([happened(now - DAY, 'Kaduna')])
      assert.notEqual((await app.get(path)).headers.get('etag'), before.headers.get('etag'))
    })

    test('the next day it is computed again', async () => {
      const path = 'period=month&periods=1'
      const before = (await trends(path)).data[0]!.periods[0]!.completeness as number
      now += DAY
      const later = (await trends(path)).data[0]!.periods[0]!.completeness as number
      assert.ok(later > before, `${later} after ${before}`)
    })

    test('the client asks for it', async () => {
      const feed = new IncidentFeed({ key: (await app.issue()).text, baseUrl: app.url })
      const { data, method } = await feed.trends({ group_by: 'state', period: 'month' })
      assert.equal(method.name, 'farrington_noufaily')
      assert.equal(data[0]!.periods.length, 2)
    })

    test('concurrent questions for all LGAs are answered alike', async () => {
      const answers = await Promise.all(
        Array.from({ length: 5 }, async () => (await app.get('/v1/trends?group_by=lga&period=week&periods=5')).text()),
      )
      assert.equal(new Set(answers).size, 1)
    })
  })
})

describe('trends cache', () => {
  const NOW = Date.parse('2026-11-10T12:00:00Z')
  const question = (query: string) => parseTrendQuestion(new URLSearchParams(query), places, NOW)

  interface Written {
    readonly trends: Trends
    readonly seq: number
  }

  const writer: TrendsWriter<Written> = {
    // biome-ignore lint/correctness/useYield: an answer that needs one step
    *write(trends, _question, view) {
      return { trends, seq: view.head.seq }
    },
    renew: ({ trends }, view) => ({ trends, seq: view.head.seq }),
    sizeOf: () => 1000,
  }

  test('questions for single groups share the trends of all, and an answer is kept until an event', async () => {
    const archive = await emptyArchive()
    archive.apply([anEvent(1, anIncident(1))])
    const cache = new TrendsCache<Written>(new SlicedQueries(), writer)
    const ask = (query: string) => cache.getTrends(archive, question(query), NOW, anAsker)
    const all = await ask('group_by=state&period=month')
    assert.equal(await ask('group_by=state&period=month'), all)
    const kaduna = await ask('group_by=state&period=month&only=Kaduna')
    assert.equal(kaduna.trends, all.trends)
    archive.apply([anEvent(2, anIncident(2))])
    const later = await ask('group_by=state&period=month&only=Kaduna')
    assert.equal(later.seq, 2)
    assert.equal((await ask('group_by=state&period=month')).trends, later.trends)
  })

  test('what is kept stays within its bounds, whatever is asked', async () => {
    const archive = await emptyArchive()
    archive.apply([anEvent(1, anIncident(1))])
    const cache = new TrendsCache<Written>(new SlicedQueries(), writer, { trends: 50_000, answers: 30_000 })
    for (let year = 1970; year < 2026; year++)
      for (const month of ['02', '06', '10'])
        await cache.getTrends(archive, question(`period=month&at=${year}-${month}-01`), NOW, anAsker)
    assert.ok(cache.size > 60_000 && cache.size <= 80_000, `${cache.size} bytes`)
  })
})

describe('followed trends', () => {
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
        anIncident(number, {
          occurred_at: new Date(at).toISOString(),
          published_at: new Date(at).toISOString(),
          ...more,
        })
      const incidents = times.map((at, number) => timed(number + 1, at))
      const { location } = incidents[0]!
      const lagos = timed(901, NOW - 2 * DAY, { location: { ...location, state_code: 'NG-LA', lga_code: null } })
      const march = timed(902, Date.UTC(2024, 2, 15), {
        location: { ...location, state_code: 'NG-KN', lga_code: null },
      })
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
})
