import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'

const DATASETS = ['ucdp', 'acled', undefined, 'ucdp', 'my-own_set2'] as const
let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.publish(
    DATASETS.map((dataset, number) =>
      anIncident(number, dataset === undefined ? {} : { dataset, attribution: 'Acme' }),
    ),
  )
})
after(() => app[Symbol.asyncDispose]())

const numbersIn = async (query: string) => {
  const response = await app.get(`/v1/incidents?${query}`)
  assert.equal(response.status, 200, await response.clone().text())
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => Number(id.slice(-3))).toSorted()
}

test('a list has incidents of the data sets that it asks for', async () => {
  for (const [dataset, expected] of [
    ['ucdp', [0, 3]],
    ['UCDP', [0, 3]],
    ['ucdp,acled', [0, 1, 3]],
    ['none', [2]],
    ['none,my-own_set2', [2, 4]],
    ['unknown', []],
  ] as const) {
    assert.deepEqual(await numbersIn(`dataset=${dataset}`), expected, dataset)
    const grouped = await app.get(`/v1/stats?group_by=state&dataset=${dataset}`)
    const { total } = (await grouped.json()) as { total: { count: number } }
    assert.equal(total.count, expected.length, dataset)
  }
  assert.deepEqual(await numbersIn('dataset=ucdp&dataset=acled&q=gunmen&min_confidence=0.1'), [0, 1, 3])
})

test('a correction that changes the data set moves the incident', async () => {
  await using other = await startTestApp()
  await other.publish([anIncident(1, { dataset: 'ucdp' })])
  await other.publish([anIncident(1, { dataset: 'acled', version: 2 })], 'incident.updated')
  const count = async (dataset: string) => {
    const response = await other.get(`/v1/incidents?dataset=${dataset}`)
    return ((await response.json()) as { data: unknown[] }).data.length
  }
  assert.deepEqual([await count('ucdp'), await count('acled')], [0, 1])
})

test('a malformed name is refused, and so is a data set where imports are not sent', async () => {
  const wrong = await problemOf(await app.get('/v1/incidents?dataset=UC%20DP'))
  assert.equal(wrong.code, 'invalid_parameter')
  assert.match(String(wrong.errors![0]!.message), /^"uc dp" is not the name of a data set/)
  const streamed = await problemOf(await app.get('/v1/stream?dataset=ucdp'))
  assert.match(String(streamed.errors![0]!.message), /a stream has no imported history/)
  const { text } = await app.issue({ scopes: ['read', 'watch'] })
  const watched = await app.post(
    '/v1/watches',
    { name: 'a', url: 'https://a.example', filter: { dataset: 'ucdp' } },
    text,
  )
  assert.match(String((await problemOf(watched)).errors![0]!.message), /imported history is not sent to watches/)
})
