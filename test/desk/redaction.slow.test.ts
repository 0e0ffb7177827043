import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { coarsePointIn, finishRedactions, redactIncident } from '../../src/desk/redaction.ts'
import { openGeography } from '../../src/geo/geography.ts'
import { backUp } from '../../src/store/backup.ts'
import { openStore } from '../../src/store/open.ts'
import { type Store, StoreFull, StoreUnavailable } from '../../src/store/store.ts'
import { type EmptyDatabase, emptyPostgres, emptySqlite, proxyTo } from '../store/databases.ts'
import { claimAs, created, NOW, updated } from '../store/fixtures.ts'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { columnsWith, dumpPostgres, filesWith, type PostgresDump } from '../support/databases/contents.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { smallDisk, temporaryFolder } from '../support/folder.ts'
import { aReport, incidentId } from '../support/incident.ts'
import { readStream } from '../support/readers.ts'
import { startEndpoint, type TestEndpoint } from '../support/receivers.ts'

/** A name that is in no other text. */
const NAME = 'Hauwa Tsamiya'
const WORD = 'tsamiya'
const REASON = 'The family asked for it.'

/** Columns with the name before. A new column for content is added here and to the redaction. */
const COLUMNS_WITH_CONTENT = [
  'attempts.answer',
  'desk_entries.search',
  'events.document',
  'incidents.document',
  'incidents.dossier',
  'steps.changes',
  'steps.note',
]

/** Everything that a client can read, as text. */
async function publicTexts({ app, editor, client, id, mergedId, watchIds }: RedactionScene): Promise<string> {
  const { data } = (await (await app.get('/v1/archive', client)).json()) as { data: { month: string }[] }
  const [month] = data
  const paths: [path: string, key: string][] = [
    ['/v1/incidents', client],
    ['/v1/incidents?format=csv', client],
    ['/v1/incidents?format=geojson', client],
    [`/v1/incidents/${id}`, client],
    ['/v1/changes', client],
    ['/v1/tiles/0/0/0.mvt', client],
    ['/v1/tiles/14/8525/7717.mvt', client],
    ['/v1/feeds/incidents.atom', client],
    ...['ndjson', 'csv', 'geojson'].map(
      (format) => [`/v1/archive/${month!.month}.${format}`, client] as [string, string],
    ),
    [`/v1/desk/incidents/${id}`, editor],
    [`/v1/desk/incidents/${mergedId}`, editor],
    [`/v1/desk/incidents/${id}/history`, editor],
    [`/v1/desk/incidents/${mergedId}/history`, editor],
    ['/v1/desk/incidents?status=merged', editor],
    ['/', client],
    [`/i/${id}`, client],
  ]
  const texts = await Promise.all(
    paths.map(
      async ([path, key]) => `${path} ${Buffer.from(await (await app.get(path, key)).arrayBuffer()).toString()}`,
    ),
  )
  for (const watchId of watchIds) {
    const list = await (await app.get(`/v1/watches/${watchId}/deliveries`, client)).text()
    for (const [deliveryId] of list.matchAll(/msg_[0-9a-z]{26}/g))
      texts.push(await (await app.get(`/v1/deliveries/${deliveryId}`, client)).text())
  }
  await using stream = await readStream(`${app.url}/v1/stream`, client, { 'last-event-id': '0' })
  await until(() => stream.changes.length > 0 && stream.changes.at(-1)!.seq >= app.archive.head.seq, 'the replay')
  return [...texts, ...stream.blocks].join('\n').toLowerCase()
}

/** A new backup as text in lower case. */
async function backupOf(databaseUrl: string, folder: string): Promise<PostgresDump> {
  if (!databaseUrl.startsWith('sqlite:')) {
    const { text, by } = await dumpPostgres(databaseUrl)
    return { text: text.toLowerCase(), by }
  }
  const copy = join(folder, `${randomUUID()}.db`)
  await backUp(databaseUrl, copy, false)
  return { text: readFileSync(copy).toString('latin1').toLowerCase(), by: 'incident-feed backup' }
}

/** SQLite stores a first attempt with its delivery. */
const DATABASES = [
  ['SQLite', emptySqlite, [...COLUMNS_WITH_CONTENT, 'deliveries.first_answer'].sort()],
  ['PostgreSQL', emptyPostgres, COLUMNS_WITH_CONTENT],
] as const

for (const [name, newDatabase, columns] of DATABASES) {
  describe(`a redaction on ${name}`, () => {
    const scope = new AsyncDisposableStack()
    const body = { words: [NAME, 'Tsamiya'], reason: REASON }
    const headers = { 'idempotency-key': randomUUID() }
    let database: EmptyDatabase
    let folder: string
    let scene: RedactionScene
    let stream: Awaited<ReturnType<typeof readStream>>
    /** The last event before it. */
    let seq: number
    let answer: string

    before(async () => {
      database = scope.use(await newDatabase())
      folder = scope.use(await temporaryFolder()).path
      scene = scope.use(await redactionScene(database.url))
      stream = scope.use(await readStream(`${scene.app.url}/v1/stream`, scene.client))
      seq = scene.app.archive.head.seq
    })
    after(() => scope.disposeAsync())

    it('takes a name out of every table, version, event, note and answer, and out of everything that is served', async () => {
      const { app, id, mergedId } = scene
      assert.deepEqual(await columnsWith(database.url, WORD), columns)
      assert.match(await publicTexts(scene), /tsamiya/)
      assert.match((await backupOf(database.url, folder)).text, /tsamiya/)

      const response = await scene.redact(body, headers)
      answer = await response.text()
      assert.equal(response.status, 200, answer)
      const redaction = JSON.parse(answer) as { incidents: string[]; found: number[]; fields: string[] }
      assert.deepEqual(redaction.incidents, [id, mergedId].sort())
      assert.ok(redaction.found[0]! > 5 && redaction.found[1]! > 0, `${redaction.found}`)

      assert.deepEqual(await columnsWith(database.url, WORD), [])
      await until(() => app.archive.head.seq === seq + 1, 'the event')
      assert.doesNotMatch(await publicTexts(scene), /tsamiya/)
    })

    it('is announced once to copies, with the redacted incident, without a gap', async () => {
      const { app, client, id, endpoint, editor } = scene
      await until(() => stream.changes.length > 0, 'the event')
      const { data } = (await (await app.get(`/v1/changes?after=${seq}`, client)).json()) as { data: object[] }
      assert.equal(data.length, 1)
      const [change] = stream.changes as unknown as Record<string, unknown>[]
      assert.deepEqual(change, data[0])
      assert.deepEqual(
        [change!.seq, change!.event, change!.incident_id, change!.redacted],
        [seq + 1, 'incident.updated', id, true],
      )
      await until(() => endpoint.messages.some(({ body }) => body.includes('"redacted":true')), 'the message')
      const { data: history } = (await (await app.get(`/v1/desk/incidents/${id}/history`, editor)).json()) as {
        data: { step: string; fields: string[]; note: string }[]
      }
      const { step, fields, note } = history.at(-1)!
      assert.deepEqual([step, fields, note], ['redact', ['words'], REASON])
    })

    it('is in no backup made afterwards', async (context) => {
      const { editor, id, app } = scene
      const { data } = (await (await app.get(`/v1/desk/incidents/${id}/redactions`, editor)).json()) as {
        data: { erased_at: string | null; reason: string }[]
      }
      assert.deepEqual([data.length, data[0]!.reason, data[0]!.erased_at !== null], [1, REASON, true])
      if (name === 'SQLite') assert.deepEqual(filesWith(database.url.slice('sqlite:'.length), WORD), [])
      const { text, by } = await backupOf(database.url, folder)
      context.diagnostic(`the backup is made by ${by}`)
      assert.doesNotMatch(text, /tsamiya/)
      assert.match(text, /\[redacted\]/)
    })

    it('is not undone by sending messages again', async () => {
      const { app, client, endpoint, watchIds } = scene
      // The watch that fails is tried again, maybe more than once.
      scene.moveClock(60_000)
      const told = () => endpoint.messages.filter(({ body }) => body.includes('"redacted":true'))
      await until(() => new Set(told().map(({ json }) => json.watch)).size === 2, 'the message of each watch')
      endpoint.messages.length = 0
      const list = await (await app.get(`/v1/watches/${watchIds[0]}/deliveries`, client)).text()
      const deliveries = [...new Set(list.match(/msg_[0-9a-z]{26}/g))]
      let sent = 0
      for (const each of deliveries) if ((await app.post(`/v1/deliveries/${each}/redeliver`, '', client)).ok) sent++
      assert.ok(sent >= 3, `${sent} sent again`)
      const recovered = await app.post(`/v1/watches/${watchIds[1]}/recover`, { since: '24h' }, client)
      assert.ok(recovered.ok, await recovered.text())
      await until(() => endpoint.messages.length >= sent + 3, 'the messages')
      for (const { body } of endpoint.messages) assert.doesNotMatch(body.toLowerCase(), /tsamiya/)
    })

    it('forgets the stored answers of requests, and says so; its own can be repeated', async () => {
      const { app, editor, requests } = scene
      for (const { path, body, idempotencyKey } of requests) {
        const repeated = await app.post(path, body, editor, { 'idempotency-key': idempotencyKey })
        assert.deepEqual([repeated.status, (await problemOf(repeated)).code], [410, 'answer_redacted'], path)
      }
      scene.moveClock(180_000)
      await finishRedactions(app.store, Date.now() + 240_000)
      assert.equal(await (await scene.redact(body, headers)).text(), answer)
    })

    it('stays after a restart', async () => {
      await scene[Symbol.asyncDispose]()
      await using app = await startTestApp({ DATABASE_URL: database.url })
      assert.doesNotMatch((await (await app.get('/v1/changes')).text()).toLowerCase(), /tsamiya/)
      assert.doesNotMatch((await (await app.get('/v1/incidents')).text()).toLowerCase(), /tsamiya/)
    })

    it('takes fields out of every version', async () => {
      await using database = await newDatabase()
      await using scene = await redactionScene(database.url)
      const { app, client, editor, id } = scene
      assert.equal((await scene.redact({ all: true, reason: REASON })).status, 200)
      assert.deepEqual(await columnsWith(database.url, WORD), [])
      await until(async () => (await (await app.get(`/v1/incidents/${id}`, client)).text()).includes('[redacted]'))
      const { data } = (await (await app.get('/v1/changes', client)).json()) as {
        data: { incident: { summary: string; sources: object[]; casualties: object; location: { place: null } } }[]
      }
      for (const { incident } of data) {
        assert.deepEqual([incident.summary, incident.sources, incident.location.place], ['[redacted]', [], null])
        assert.deepEqual(incident.casualties, { killed: null, injured: null, abducted: null })
      }
      const desk = (await (await app.get(`/v1/desk/incidents/${id}`, editor)).json()) as { desk: { text: null } }
      assert.equal(desk.desk.text, null)
    })
  })
}

describe('several nodes', () => {
  describe('a redaction with several nodes', () => {
    it('is forgotten by a node that was cut off from the database, once it reads the log again', async () => {
      await using database = await testDatabase()
      await using proxy = await proxyTo(database.url)
      await using here = await startTestApp({ DATABASE_URL: database.url })
      await using there = await startTestApp({ DATABASE_URL: proxy.url })
      const editor = (await here.issue({ scopes: ['read', 'report', 'review'] })).text
      const client = (await here.issue()).text
      const report = aReport({ summary: `Gunmen took ${NAME}.` })
      const { id } = (await (await here.post('/v1/reports', report, editor)).json()) as { id: string }
      await here.post(`/v1/desk/incidents/${id}/confirm`, '', editor)
      const changes = async () => (await there.get('/v1/changes', client)).text()
      await until(() => there.archive.slotOf(id) !== null, 'the other node')
      // Kept in its memory, as its archive and its recent events.
      assert.match(await changes(), /Tsamiya/)

      proxy.partition()
      const response = await here.post(
        `/v1/desk/incidents/${id}/redact`,
        { words: [NAME], reason: 'Asked for.' },
        editor,
      )
      assert.equal(response.status, 200)
      const { seq } = await here.store.events.head()
      proxy.heal()
      await until(() => there.archive.head.seq === seq, 'the other node in step')
      assert.doesNotMatch(await changes(), /Tsamiya/)
      assert.doesNotMatch(await (await there.get('/v1/incidents', client)).text(), /Tsamiya/)
      await using stream = await readStream(`${there.url}/v1/stream`, client, { 'last-event-id': '0' })
      await until(() => stream.changes.length === 2, 'the replay')
      assert.doesNotMatch(stream.blocks.join(), /Tsamiya/)
    })
  })
})

describe('finishing redactions', () => {
  const NAME = 'Hauwa Tsamiya'
  const MINUTE = 60_000

  /** Commits a redaction and goes no further, as a process that is killed then. */
  async function redactOnly(store: Store): Promise<void> {
    await store.incidents.save([created(1, { summary: NAME })], NOW)
    await store.incidents.save([updated(1, 2, { summary: NAME })], NOW)
    const by = { key_id: 'key_1', account_id: 'acc_1', name: 'Desk' }
    const decision = { by, reason: 'Asked for.', expected: null, now: NOW }
    await redactIncident(
      incidentId(1),
      { fields: [], words: [NAME] },
      decision,
      store,
      coarsePointIn(openGeography(null)),
      (write) => store.redactions.apply(write, NOW),
    )
  }

  describe('what a redaction leaves behind', () => {
    it('is removed after a crash, by the next process', async () => {
      await using database = await emptySqlite()
      await using folder = await temporaryFolder()
      const path = join(folder.path, 'crashed.db')
      {
        await using store = await database.open()
        await redactOnly(store)
        assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, null)
        // The files as a killed process leaves them.
        for (const suffix of ['', '-wal']) await copyFile(database.path + suffix, path + suffix)
      }
      assert.deepEqual(filesWith(path, WORD), [`${path}-wal`])
      await using store = await openStore(`sqlite:${path}`)
      await finishRedactions(store, NOW + MINUTE)
      assert.deepEqual(filesWith(path, WORD), [])
      assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, NOW + MINUTE)
    })

    it('stays on the list while the log is being read, and is removed afterwards', async () => {
      await using database = await emptySqlite()
      await using store = await database.open({ sqlite: { busyTimeout: 50 } })
      await redactOnly(store)
      {
        using reader = new DatabaseSync(database.path, { readOnly: true })
        reader.exec('BEGIN')
        reader.prepare('SELECT count(*) FROM events').get()
        await assert.rejects(finishRedactions(store, NOW + MINUTE), StoreUnavailable)
        assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, null)
        assert.equal((await store.redactions.unsettled(10)).length, 1)
      }
      await finishRedactions(store, NOW + 2 * MINUTE)
      assert.deepEqual(filesWith(database.path, WORD), [])
    })

    it('waits for room on the disk, and does not fill it', async (context) => {
      const disk = await smallDisk(8)
      if (typeof disk === 'string') return context.skip(disk)
      await using _ = disk
      const path = join(disk.path, 'feed.db')
      await using store = await openStore(`sqlite:${path}`)
      await redactOnly(store)
      await disk.fill()
      await assert.rejects(finishRedactions(store, NOW + MINUTE), StoreFull)
      assert.equal((await store.redactions.unsettled(10))[0]!.erasedAt, null)
      await disk.free()
      await finishRedactions(store, NOW + MINUTE)
      assert.deepEqual(filesWith(path, WORD), [])
    })

    it('that was answered late is erased once that is possible, even if the first try fails', async () => {
      await using database = await emptySqlite()
      await using store = await database.open({ sqlite: { busyTimeout: 50 } })
      const claim = { id: 'a', token: 'holder' }
      await claimAs(store.idempotency, 'a', NOW, claim)
      await redactOnly(store)
      await finishRedactions(store, NOW + MINUTE)
      // An answer on its way at the moment of the redaction.
      assert.ok(await store.idempotency.finish(claim, Buffer.from(NAME), incidentId(1)))
      {
        using reader = new DatabaseSync(database.path, { readOnly: true })
        reader.exec('BEGIN')
        reader.prepare('SELECT count(*) FROM events').get()
        await assert.rejects(finishRedactions(store, NOW + MINUTE), StoreUnavailable)
      }
      assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, null)
      await finishRedactions(store, NOW + 2 * MINUTE)
      assert.deepEqual(filesWith(database.path, WORD), [])
      assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, NOW + 2 * MINUTE)
    })

    it('is looked for until two minutes have passed: a message may have been on its way', async () => {
      await using database = await emptySqlite()
      await using store = await database.open()
      await redactOnly(store)
      await finishRedactions(store, NOW + MINUTE)
      assert.equal((await store.redactions.unsettled(10)).length, 1)
      await finishRedactions(store, NOW + 2 * MINUTE)
      assert.deepEqual(await store.redactions.unsettled(10), [])
      assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, NOW + MINUTE)
    })
  })
})

interface Repeatable {
  readonly path: string
  readonly body: unknown
  readonly idempotencyKey: string
}

/** A service in which a name is in every place that can hold one. */
interface RedactionScene extends AsyncDisposable {
  readonly app: TestApp
  readonly editor: string
  readonly client: string
  readonly endpoint: TestEndpoint
  readonly watchIds: readonly string[]
  /** The confirmed incident; `mergedId` is a report merged into it. */
  readonly id: string
  readonly mergedId: string
  /** Requests whose stored answers contain the name. */
  readonly requests: readonly Repeatable[]
  redact(body: object, headers?: Record<string, string>): Promise<Response>
  moveClock(ms: number): void
}

async function redactionScene(databaseUrl: string): Promise<RedactionScene> {
  await using scope = new AsyncDisposableStack()
  const endpoint = scope.use(await startEndpoint())
  // Repeats the message, as a badly made endpoint does.
  endpoint.answer = (response, { body, json }) => response.writeHead(json.watch === 'Failing' ? 500 : 200).end(body)
  // It stands still: on a busy machine, the watch that fails would be tried again meanwhile.
  let now = Date.now()
  const settings = { DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_PRIVATE: 'true' }
  const app = scope.use(await startTestApp(settings, { clock: () => now }))
  const editor = (await app.issue({ scopes: ['read', 'report', 'review'] })).text
  const client = (await app.issue()).text
  const requests: Repeatable[] = []

  /** Sends a request with an idempotency key, which stores its answer. */
  const ask = async <Body>(path: string, body: unknown): Promise<Body> => {
    const idempotencyKey = randomUUID()
    requests.push({ path, body, idempotencyKey })
    const response = await app.post(path, body, editor, { 'idempotency-key': idempotencyKey })
    assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`)
    return (await response.json()) as Body
  }
  const watchIds: string[] = []
  for (const name of ['Working', 'Failing']) {
    const events = ['incident.created', 'incident.updated', 'incident.retracted']
    const made = await app.post('/v1/watches', { name, url: endpoint.url, filter: {}, events }, client)
    watchIds.push(((await made.json()) as { id: string }).id)
  }
  const report = {
    ...aReport(),
    summary: `Gunmen took ${NAME} from her home.`,
    text: `A neighbour said that ${NAME.toUpperCase()} was taken.`,
    sources: [{ url: 'https://punchng.com/hauwa-tsamiya-taken', publisher: `${NAME} Campaign` }],
  }
  const { id } = await ask<{ id: string }>('/v1/reports', report)
  const merged = await ask<{ id: string; desk: { possible_duplicates: { id: string }[] } }>('/v1/reports', {
    ...report,
    sources: [{ url: 'https://guardian.ng/tsamiya', publisher: 'The Guardian Nigeria' }],
  })
  assert.deepEqual(
    merged.desk.possible_duplicates.map((each) => each.id),
    [id],
  )
  await ask(`/v1/desk/incidents/${id}/confirm`, { note: `Her father confirmed: ${NAME}.` })
  await ask(`/v1/desk/incidents/${merged.id}/merge`, { into: id, note: `Also about ${NAME}.` })
  const { version } = (await (await app.get(`/v1/desk/incidents/${id}`, editor)).json()) as { version: number }
  const patched = await app.patch(
    `/v1/desk/incidents/${id}`,
    { summary: 'Gunmen took a woman from her home.', note: `${NAME} must not be named.` },
    editor,
    `"${version}"`,
  )
  assert.equal(patched.status, 200)
  for (const watchId of watchIds) assert.ok((await app.post(`/v1/watches/${watchId}/test`, {}, client)).ok)
  // Each watch has been sent every event, and has answered.
  await until(async () => {
    const attempted = await Promise.all(
      watchIds.map(async (watchId) => {
        const response = await app.get(`/v1/watches/${watchId}/deliveries`, client)
        const { data } = (await response.json()) as { data: { attempts: number; test?: boolean }[] }
        return data.filter(({ attempts }) => attempts > 0).length
      }),
    )
    return attempted.every((count) => count >= 4)
  }, 'the deliveries')
  const moved = scope.move()
  return {
    app,
    editor,
    client,
    endpoint,
    watchIds,
    id,
    mergedId: merged.id,
    requests,
    redact: (body, headers = {}) => app.post(`/v1/desk/incidents/${id}/redact`, body, editor, headers),
    moveClock: (ms) => {
      now += ms
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
