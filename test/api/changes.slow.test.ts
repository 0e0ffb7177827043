import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Incident } from '../../src/domain/incident.ts'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import type { StreamedChange } from '../support/readers.ts'

interface Changes {
  data: StreamedChange[]
  next_after: string
  has_more: boolean
  meta: { seq: number; position: string }
}

async function changes(app: TestApp, query: string): Promise<Changes> {
  const response = await app.get(`/v1/changes?${query}`)
  assert.equal(response.status, 200)
  return (await response.json()) as Changes
}

/** Follows the changes page by page, as a client does. */
async function copyOf(app: TestApp, limit: number): Promise<Map<string, Incident>> {
  const copy = new Map<string, Incident>()
  for (let after = '0', more = true; more; ) {
    const { data, next_after, has_more } = await changes(app, `after=${after}&limit=${limit}`)
    for (const { incident_id, incident } of data) {
      if (incident === null) copy.delete(incident_id)
      else copy.set(incident_id, incident)
    }
    after = next_after
    more = has_more
  }
  return copy
}

/** Two new incidents, one of them corrected; one imported; one retracted after a correction. */
async function publishHistory(app: TestApp): Promise<void> {
  await app.publish([anIncident(1), anIncident(2), anIncident(4)])
  await app.publish([anIncident(3)], 'incident.imported')
  await app.publish([anIncident(2, { version: 2, summary: 'Corrected.' })], 'incident.updated')
  await app.publish([anIncident(4, { version: 2, summary: 'Names a person.' })], 'incident.updated')
  await app.publish(
    [anIncident(4, { version: 3, status: 'retracted', summary: 'Names a person.' })],
    'incident.retracted',
  )
}

test('changes are listed in order, with the resulting documents', async () => {
  await using app = await startTestApp()
  await publishHistory(app)
  const { data, next_after, has_more, meta } = await changes(app, 'after=1&limit=4')
  assert.deepEqual(
    data.map(({ seq, event, incident_id }) => [seq, event, incident_id]),
    [
      [2, 'incident.created', anIncident(2).id],
      [3, 'incident.created', anIncident(4).id],
      [4, 'incident.imported', anIncident(3).id],
      [5, 'incident.updated', anIncident(2).id],
    ],
  )
  assert.deepEqual(data[0]!.incident, anIncident(2))
  assert.equal(data[3]!.incident!.summary, 'Corrected.')
  assert.deepEqual([next_after, has_more, meta.seq], [data[3]!.position, true, 7])
  for (const { seq, position } of data) assert.match(position, new RegExp(`^${seq}\\.[\\w-]{11}$`))
  assert.equal(meta.position, (await changes(app, '')).next_after)
  assert.deepEqual(
    (await changes(app, `after=${next_after}`)).data.map(({ seq }) => seq),
    [6, 7],
  )
})

test('an answer says up to which event it is complete, also after earlier answers', async () => {
  await using app = await startTestApp()
  for (const number of [1, 2]) {
    await app.publish([anIncident(number)])
    const months = (await (await app.get('/v1/archive')).json()) as Pick<Changes, 'meta'>
    const { meta } = await changes(app, 'after=0')
    assert.deepEqual([meta.seq, months.meta.seq], [number, number])
  }
})

test('all changes of a retracted incident contain only its id and times', async () => {
  await using app = await startTestApp()
  await publishHistory(app)
  const { data } = await changes(app, '')
  const ofRetracted = data.filter(({ incident_id }) => incident_id === anIncident(4).id)
  assert.deepEqual(
    ofRetracted.map(({ seq, event, incident }) => [seq, event, incident]),
    [
      [3, 'incident.created', null],
      [6, 'incident.updated', null],
      [7, 'incident.retracted', null],
    ],
  )
  assert.doesNotMatch(JSON.stringify(data), /Names a person/)
})

for (const limit of [1, 2, 1000]) {
  test(`a copy made from pages of ${limit} equals the archive`, async () => {
    await using app = await startTestApp()
    await publishHistory(app)
    const { data } = (await (await app.get('/v1/incidents?limit=1000')).json()) as { data: Incident[] }
    const copy = await copyOf(app, limit)
    assert.deepEqual(
      [...copy.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1)),
      data,
    )
  })
}

test('events from before the start are read from the log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'changes-'))
  const settings = { DATABASE_URL: `sqlite:${join(folder, 'feed.db')}` }
  try {
    {
      await using app = await startTestApp(settings)
      await publishHistory(app)
    }
    await using app = await startTestApp(settings)
    await app.publish([anIncident(5)])
    const { data, has_more } = await changes(app, 'after=5')
    assert.deepEqual(
      data.map(({ seq, incident }) => [seq, incident?.id ?? null]),
      [
        [6, null],
        [7, null],
        [8, anIncident(5).id],
      ],
    )
    assert.equal(has_more, false)
    assert.equal((await copyOf(app, 2)).size, 4)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('recent changes come from memory, even with the database closed', async () => {
  await using app = await startTestApp()
  await publishHistory(app)
  await changes(app, 'after=0')
  await app.store[Symbol.asyncDispose]()
  assert.equal((await changes(app, 'after=0')).data.length, 7)
})

test('without new changes the page is empty with the same position, and 304', async () => {
  await using app = await startTestApp()
  await publishHistory(app)
  const response = await app.get('/v1/changes?after=7')
  const { data, next_after, has_more } = (await response.json()) as Changes
  assert.deepEqual([data, next_after, has_more], [[], '7', false])
  const etag = response.headers.get('etag')!
  assert.equal((await app.get('/v1/changes?after=7', undefined, { 'if-none-match': etag })).status, 304)
})

test('an invalid position is refused with the reason', async () => {
  await using app = await startTestApp()
  await publishHistory(app)
  const wrong: [string, RegExp][] = [
    ['after=8', /beyond the newest change, which is 7/],
    ['after=-1', /a position that this service has given, such as 8123\.Xk3yR0pWc9A, or 0/],
    ['after=x', /a position that this service has given/],
    ['after=1.5', /a position that this service has given/],
    ['limit=1001', /from 1 to 1000/],
    ['since=24h', /not a parameter here/],
  ]
  for (const [query, message] of wrong) {
    const { code, detail } = await problemOf(await app.get(`/v1/changes?${query}`))
    assert.equal(code, 'invalid_parameter')
    assert.match(detail, message)
  }
})

test('a client that has read changes lost by a restore gets an error, on a stream too, even after later events', async () => {
  await using folder = await temporaryFolder()
  const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'restored.db')}` }
  {
    await using app = await startTestApp(settings)
    await app.publish([anIncident(1), anIncident(2)])
    await app.store.chain.fork(4, Date.now())
  }
  await using app = await startTestApp(settings)
  const all = await changes(app, '')
  const common = all.data[1]!.position
  assert.equal(all.meta.position.slice(0, -7), common, 'with the name of the fork')
  for (const after of ['2', common, all.meta.position])
    assert.deepEqual([(await changes(app, `after=${after}`)).data, all.has_more], [[], false])
  for (const happened of [false, true]) {
    if (happened) await app.publish([anIncident(3), anIncident(4), anIncident(5)])
    for (const after of ['3', '4', '3.AAAAAAAAAAA', '4.AAAAAAAAAAA.BBBBBB', '9.AAAAAAAAAAA']) {
      const problem = await problemOf(await app.get(`/v1/changes?after=${after}`))
      assert.deepEqual([problem.status, problem.code], [410, 'position_lost'])
      assert.equal(problem.resume_after, common)
      assert.match(
        problem.detail,
        new RegExp(`^The service was put back .*: ${after} is not in its log.*Continue from 2\\.`),
      )
      const stream = await problemOf(await app.get('/v1/stream', undefined, { 'last-event-id': after }))
      assert.deepEqual([stream.code, stream.resume_after], ['position_lost', problem.resume_after])
    }
  }
  const since = await changes(app, `after=${common}`)
  assert.deepEqual(
    since.data.map(({ seq }) => seq),
    [3, 4, 5],
  )
  assert.deepEqual((await changes(app, 'after=5')).data, [])
  assert.deepEqual((await changes(app, `after=${since.data[0]!.position}`)).data, since.data.slice(1))
  assert.equal((await problemOf(await app.get('/v1/changes?after=6'))).code, 'invalid_parameter')
  assert.equal((await copyOf(app, 1)).size, 5)
})
