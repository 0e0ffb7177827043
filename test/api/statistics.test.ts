import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Incident } from '../../src/domain/incident.ts'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

const NOW = Date.parse('2026-04-15T12:00:00Z')
let app: TestApp

const unknown = { killed: null, injured: null, abducted: null }
const published = (at: string, changes: Partial<Incident> = {}) => ({ published_at: at, ...changes })
const nowhere = { lga: null, location: { ...anIncident().location, lga_code: null, lga_basis: null } }

before(async () => {
  app = await startTestApp({}, { clock: () => NOW })
  await app.publish([
    anIncident(1, published('2026-01-05T00:00:00Z', { casualties: { killed: 3, injured: 0, abducted: null } })),
    anIncident(2, published('2026-01-31T23:59:59Z', { casualties: unknown, ...nowhere })),
    anIncident(3, published('2026-04-01T00:00:00Z', { severity: 'low', casualties: { ...unknown, killed: 1 } })),
  ])
})
after(() => app[Symbol.asyncDispose]())

interface Bucket {
  count: number
  casualties: object
  casualties_known: object
  [group: string]: unknown
}
const stats = async (query: string, from = app) => {
  const response = await from.get(`/v1/stats?${query}`)
  assert.equal(response.status, 200)
  return (await response.json()) as { group_by: string[]; data: Bucket[]; total: Bucket; meta: { seq: number } }
}

test('months without an incident are included, and unknown casualties are null, not 0', async () => {
  const { group_by, data, total, meta } = await stats('group_by=month')
  assert.deepEqual([group_by, meta.seq], [['month'], 3])
  assert.deepEqual(
    data.map(({ month, count }) => [(month as { key: string }).key, count]),
    [
      ['2026-01', 2],
      ['2026-02', 0],
      ['2026-03', 0],
      ['2026-04', 1],
    ],
  )
  assert.deepEqual(data[0], {
    month: { key: '2026-01', from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
    count: 2,
    casualties: { killed: 3, injured: 0, abducted: null },
    casualties_known: { killed: 1, injured: 1, abducted: 0 },
  })
  assert.deepEqual(total, {
    count: 3,
    casualties: { killed: 4, injured: 0, abducted: null },
    casualties_known: { killed: 2, injured: 1, abducted: 0 },
  })
})

test('days, months and years begin at midnight in Lagos where asked, in the sums of segments too', async () => {
  const counts = async (unit: string, zone: string, more = '') =>
    (await stats(`group_by=${unit}&time_zone=${zone}${more}`)).data.flatMap((bucket) =>
      bucket.count === 0 ? [] : [[(bucket[unit] as { key: string }).key, bucket.count]],
    )
  assert.deepEqual(await counts('month', 'UTC'), [
    ['2026-01', 2],
    ['2026-04', 1],
  ])
  assert.deepEqual(await counts('month', 'Africa/Lagos'), [
    ['2026-01', 1],
    ['2026-02', 1],
    ['2026-04', 1],
  ])
  // A place that only some incidents have keeps the sums from being used.
  assert.deepEqual(await counts('month', 'Africa/Lagos', '&bbox=2,4,15,14'), await counts('month', 'Africa/Lagos'))
  assert.deepEqual(await counts('day', 'Africa/Lagos', '&from=2026-01-30&to=2026-02-02'), [['2026-02-01', 1]])
  const { data } = await stats('group_by=day&time_zone=Africa/Lagos&from=2026-01-30T23:00:00Z&to=2026-01-31T23:00:00Z')
  assert.deepEqual(
    data.map(({ day }) => day),
    [{ key: '2026-01-31', from: '2026-01-30T23:00:00Z', to: '2026-01-31T23:00:00Z' }],
  )
  assert.match((await problemOf(await app.get('/v1/stats?group_by=day&time_zone=Lagos'))).detail, /time_zone/)
})

test('a bucket has the code that the filter takes; incidents without an LGA have a bucket too', async () => {
  const { data } = await stats('group_by=state,lga')
  const kaduna = { key: 'NG-KD', label: 'Kaduna' }
  assert.deepEqual(
    data.map(({ state, lga, count }) => ({ state, lga, count })),
    [
      { state: kaduna, lga: { key: 'NG-KD-CHIKUN', label: 'Chikun', state: 'Kaduna', state_code: 'NG-KD' }, count: 2 },
      { state: kaduna, lga: null, count: 1 },
    ],
  )
  assert.equal((await stats('group_by=year&lga=NG-KD-CHIKUN')).total.count, 2)
})

test('the requested window has all its periods, even without incidents', async () => {
  const keys = async (query: string) => (await stats(query)).data.map(({ week }) => (week as { key: string }).key)
  assert.deepEqual(await keys('group_by=week&from=2025-12-28&to=2026-01-06'), ['2025-W52', '2026-W01', '2026-W02'])
  assert.deepEqual(await keys('group_by=week&since=1w'), ['2026-W15', '2026-W16'])
  await using empty = await startTestApp()
  assert.deepEqual((await stats('group_by=day', empty)).data, [])
  assert.equal((await stats('group_by=day&from=2026-01-01&to=2026-01-04', empty)).data.length, 3)
})

test('too many buckets are refused, and the error suggests a unit that fits', async () => {
  const { code, detail, errors } = await problemOf(
    await app.get('/v1/stats?group_by=lga,day&from=1966-01-01&to=2026-01-01'),
  )
  assert.equal(code, 'invalid_parameter')
  assert.match(detail, /21915 days × 775 values of lga from 1966-01-01 to 2025-12-31; the maximum is 25000 buckets/)
  assert.equal(errors![0]!.did_you_mean, undefined)
  const one = await problemOf(await app.get('/v1/stats?group_by=day,lga&state=kaduna&from=1966-01-01&to=2026-01-01'))
  assert.match(one.detail, /or count by month/)
  assert.deepEqual(one.errors![0]!.did_you_mean, ['month,lga', 'year,lga'])
  assert.equal((await app.get('/v1/stats?group_by=month,lga&state=kaduna&from=1966-01-01&to=2026-01-01')).status, 200)
  assert.equal((await problemOf(await app.get('/v1/stats?group_by=day&from=0001-01-01'))).code, 'invalid_parameter')
})

test('a response keeps its ETag until an event or the window changes it', async () => {
  let now = NOW
  await using own = await startTestApp({}, { clock: () => now })
  await own.publish([anIncident(1, published('2026-04-15T00:00:00Z'))])
  const ask = (headers = {}) => own.get('/v1/stats?group_by=day&since=1d', undefined, headers)
  const first = await ask()
  assert.equal(first.headers.get('cache-control'), 'private, no-cache')
  const etag = first.headers.get('etag')!
  now += 60_000
  assert.equal((await ask({ 'if-none-match': etag })).status, 304)
  now = Date.parse('2026-04-16T00:00:00Z')
  const moved = await ask({ 'if-none-match': etag })
  assert.equal(moved.status, 200)
  const { data } = (await moved.json()) as { data: Bucket[] }
  assert.deepEqual(
    data.map(({ count }) => count),
    [1, 0],
  )
  now += 1
  assert.equal((await stats('group_by=day&since=1d', own)).total.count, 0)
  await own.publish([anIncident(2, published('2026-04-16T00:00:00Z'))])
  assert.equal((await stats('group_by=day&since=1d', own)).total.count, 1)
})
