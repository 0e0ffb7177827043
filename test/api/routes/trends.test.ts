import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { IncidentFeed } from '../../../client/src/index.ts'
import type { Incident } from '../../../src/domain/incident.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'

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
  const times = { occurred_at: new Date(at).toISOString(), published_at: new Date(at + delayDays * DAY).toISOString() }
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
