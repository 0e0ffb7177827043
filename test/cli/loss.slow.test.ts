import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { openAccount } from '../../src/accounts/keys.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { WATCH_EVENTS } from '../../src/domain/watch.ts'
import { problemOf, until } from '../support/app.ts'
import { endCommands, runCommand, startCommand } from '../support/commands.ts'
import { openTestStore, TEST_SECRETS_KEY } from '../support/databases/stores.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import { readStream } from '../support/readers.ts'
import { type Message, startEndpoint } from '../support/receivers.ts'

after(endCommands)

/** Makes a database what its copy is, under a service that has it open. */
function putBack(path: string, copy: string): void {
  using database = new DatabaseSync(path)
  database.exec(`PRAGMA busy_timeout = 60000; PRAGMA foreign_keys = OFF; ATTACH '${copy}' AS copy; BEGIN IMMEDIATE`)
  // Triggers keep `desk_counts`, which therefore comes last.
  const tables = database
    .prepare(`SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name = 'desk_counts'`)
    .all()
  for (const { name } of tables)
    database.exec(`DELETE FROM main.${name}; INSERT INTO main.${name} SELECT * FROM copy.${name}`)
  database.exec('COMMIT')
}

function anAnswer(text: string) {
  return JSON.parse(text) as {
    data: { seq: number; event: string; position: string; incident: Incident | null }[]
    next_after: string
    next_cursor: string
    meta: { position: string }
  }
}

test('a service whose database loses its latest writes says so, drops them, tells receivers, and goes on', async () => {
  await using folder = await temporaryFolder()
  const [path, copy] = [join(folder.path, 'feed.db'), join(folder.path, 'copy.db')]
  const settings = {
    DATABASE_URL: `sqlite:${path}`,
    SECRETS_KEY: TEST_SECRETS_KEY,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    METRICS_PUBLIC: 'true',
    LOG_FORMAT: 'json',
  }
  await using endpoint = await startEndpoint()
  const service = startCommand(['serve', '--port', '0'], settings)
  const addresses = () => [...service.output().matchAll(/listening at (http:[^"]+)/g)].map(([, url]) => url!)
  await until(() => addresses().length > 0, 'the service to listen')
  const url = addresses()[0]!
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200
  await until(isReady, 'the service to be ready')
  await using store = await openTestStore(settings.DATABASE_URL)
  const { text: key } = await openAccount(store, { email: null, name: null }, { scopes: ['read', 'watch'] }, Date.now())
  const get = (query: string, headers = {}) =>
    fetch(url + query, { headers: { authorization: `Bearer ${key}`, ...headers } })
  const read = async (query: string) => anAnswer(await (await get(query)).text())
  const save = (event: 'incident.created' | 'incident.updated' | 'incident.retracted', incident: Incident) =>
    store.incidents.save(
      [{ incident, event, ...(incident.version > 1 ? {} : { replaces: { version: 0 } }) }],
      Date.now(),
    )
  const isTold = (wanted: string[]) => {
    const told = endpoint.messages.map(
      ({ json }: Message) => `${json.event} ${json.incident.id} ${json.incident.version}`,
    )
    return wanted.every((each) => told.includes(each))
  }
  const watch = { name: 'All', filter: {}, url: endpoint.url, events: WATCH_EVENTS }
  const added = await fetch(`${url}/v1/watches`, {
    method: 'POST',
    body: JSON.stringify(watch),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  assert.equal(added.status, 201)
  const reported = anIncident(5, { status: 'reported', confirmed_at: null, published_at: null })
  await store.incidents.save([{ incident: reported, event: null, replaces: { version: 0 } }], Date.now())
  for (const number of [1, 2, 3]) await save('incident.created', anIncident(number))
  await until(() => isTold([1, 2, 3].map((number) => `incident.created ${anIncident(number).id} 1`)), 'what is kept')
  const { next_after: common } = await read('/v1/changes')
  {
    using database = new DatabaseSync(path)
    database.exec(`VACUUM INTO '${copy}'`)
  }

  await save('incident.updated', anIncident(1, { version: 2, summary: 'Lost.' }))
  await save('incident.retracted', anIncident(2, { version: 2, status: 'retracted' }))
  await save('incident.created', anIncident(4))
  await store.incidents.save(
    [{ incident: anIncident(5), event: 'incident.created', replaces: { version: 1 } }],
    Date.now(),
  )
  await until(
    () =>
      isTold([
        `incident.updated ${anIncident(1).id} 2`,
        `incident.retracted ${anIncident(2).id} 2`,
        `incident.created ${anIncident(4).id} 1`,
        `incident.created ${anIncident(5).id} 1`,
      ]),
    'what will be lost',
  )
  const seen = await read('/v1/changes')
  const { next_cursor: cursor, meta } = await read('/v1/incidents?limit=1')
  assert.equal(meta.position, seen.next_after)
  await using stream = await readStream(`${url}/v1/stream`, key)

  putBack(path, copy)
  const told = [
    `incident.updated ${anIncident(1).id} 3`,
    `incident.retracted ${anIncident(2).id} 3`,
    `incident.retracted ${anIncident(4).id} 2`,
    `incident.retracted ${anIncident(5).id} 2`,
  ]
  await until(() => isTold(told), 'what holds now')
  await until(isReady, 'the service to be ready again')
  assert.deepEqual(addresses(), [url, url], 'it has started anew at its address')
  assert.match(service.output(), /"level":"?(error|50)"?,.*The database has lost events that this node had/)
  assert.match(await (await get('/metrics')).text(), /^incident_feed_lost_events_total 4$/m)
  await stream.ended

  const retractions = endpoint.messages.filter(({ json }) => json.event === 'incident.retracted')
  assert.deepEqual(
    retractions
      .map(({ json: { incident } }) => [incident.id, incident.version, 'reason' in incident && incident.reason])
      .toSorted(),
    [
      [anIncident(2).id, 2, false],
      [anIncident(2).id, 3, 'lost'],
      [anIncident(4).id, 2, 'lost'],
      [anIncident(5).id, 2, 'lost'],
    ].toSorted(),
  )
  const statuses = await Promise.all(
    [1, 2, 3, 4, 5].map(async (number) => (await get(`/v1/incidents/${anIncident(number).id}`)).status),
  )
  assert.deepEqual(statuses, [200, 410, 200, 410, 410])
  const [restored] = (await read('/v1/incidents')).data as unknown as Incident[]
  assert.ok(restored)
  assert.notEqual(((await (await get(`/v1/incidents/${anIncident(1).id}`)).json()) as Incident).summary, 'Lost.')

  const lost = [
    ...seen.data.slice(3).map(({ position }) => `/v1/changes?after=${position}`),
    `/v1/changes?after=${meta.position}`,
    '/v1/changes?after=5',
    `/v1/stream?last_event_id=${seen.next_after}`,
  ]
  for (const query of lost) {
    const problem = await problemOf(await get(query))
    assert.deepEqual([problem.status, problem.code, problem.resume_after], [410, 'position_lost', common], query)
  }
  const ofList = await problemOf(await get(`/v1/incidents?limit=1&cursor=${cursor}`))
  assert.deepEqual([ofList.status, ofList.code, ofList.resume_after], [410, 'position_lost', undefined])
  for (const { position } of seen.data.slice(0, 3))
    assert.equal((await get(`/v1/changes?after=${position}`)).status, 200)
  const since = await read(`/v1/changes?after=${common}`)
  assert.deepEqual(
    since.data.map(({ seq }) => seq),
    [4, 5, 6, 7],
    'numbers are given again',
  )
  assert.equal((await get(`/v1/changes?after=${since.next_after}`)).status, 200)
  const verified = await runCommand(['verify', '--position', common], settings)
  assert.equal(verified.code, 0, verified.output)
  assert.equal((await runCommand(['verify', '--position', seen.next_after], settings)).code, 1)

  service.child.kill('SIGINT')
  assert.equal(await service.ended, 0, service.output())
})
