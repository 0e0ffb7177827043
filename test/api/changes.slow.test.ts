import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Incident } from '../../src/domain/incident.ts'
import { RESTORE_GAP } from '../../src/store/queries/incidents.ts'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { readStream, type StreamedChange } from '../support/readers.ts'

interface Changes {
  data: StreamedChange[]
  next_after: number
  has_more: boolean
  meta: { seq: number }
}

async function changes(app: TestApp, query: string): Promise<Changes> {
  const response = await app.get(`/v1/changes?${query}`)
  assert.equal(response.status, 200)
  return (await response.json()) as Changes
}

/** Follows the changes page by page, as a client does. */
async function copyOf(app: TestApp, limit: number): Promise<Map<string, Incident>> {
  const copy = new Map<string, Incident>()
  for (let after = 0, more = true; more; ) {
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
  assert.deepEqual([next_after, has_more, meta.seq], [5, true, 7])
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
  assert.deepEqual([data, next_after, has_more], [[], 7, false])
  const etag = response.headers.get('etag')!
  assert.equal((await app.get('/v1/changes?after=7', undefined, { 'if-none-match': etag })).status, 304)
})

test('an invalid position is refused with the reason', async () => {
  await using app = await startTestApp()
  await publishHistory(app)
  const wrong: [string, RegExp][] = [
    ['after=8', /beyond the newest change, which is 7/],
    ['after=-1', /whole number from 0/],
    ['after=x', /whole number from 0/],
    ['after=1.5', /whole number from 0/],
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
  const folder = await mkdtemp(join(tmpdir(), 'incident-feed-'))
  try {
    const settings = { DATABASE_URL: `sqlite:${join(folder, 'restored.db')}` }
    {
      await using app = await startTestApp(settings)
      await app.publish([anIncident(1), anIncident(2)])
      await app.store.events.skipAhead(RESTORE_GAP)
    }
    await using app = await startTestApp(settings)
    const head = app.archive.head.seq
    assert.deepEqual([(await changes(app, 'after=2')).data, (await changes(app, 'after=2')).has_more], [[], false])
    for (const happened of [false, true]) {
      if (happened) await app.publish([anIncident(3)])
      for (const after of [3, head - 1]) {
        const problem = await problemOf(await app.get(`/v1/changes?after=${after}`))
        assert.deepEqual([problem.status, problem.code], [410, 'position_lost'])
        assert.match(problem.detail, /the changes after 2 .*from after=2\.$/)
      }
    }
    assert.deepEqual(
      (await changes(app, 'after=1')).data.map(({ seq }) => seq),
      [2, head + 1],
    )
    assert.equal((await changes(app, `after=${head}`)).data.length, 1)
    assert.equal((await problemOf(await app.get(`/v1/changes?after=${head + 2}`))).code, 'invalid_parameter')
    assert.equal((await copyOf(app, 1)).size, 3)
    await using reader = await readStream(`${app.url}/v1/stream?last_event_id=3`, (await app.issue()).text)
    await until(() => reader.blocks.some((block) => block.includes('event: reset')), 'the reset')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
