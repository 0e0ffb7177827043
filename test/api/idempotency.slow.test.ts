import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { ACCOUNT_BOUNDS } from '../../src/accounts/idempotency-bounds.ts'
import { keyCap, makeKey } from '../../src/accounts/keys.ts'
import { ENDPOINTS } from '../../src/api/contract/reference.ts'
import { decodeAnswer, encodeAnswer } from '../../src/api/idempotency.ts'
import { machine } from '../../src/lib/runtime.ts'
import { override, problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { addUnplacedStory, proposeSource } from '../support/desk.ts'
import { anIncident, aReport } from '../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../support/receivers.ts'

describe('run idempotent', () => {
  test('repeated requests with the same key run once and get the same response', async () => {
    await using app = await startTestApp()
    const { text } = await app.issue()
    const ask = () => app.post('/v1/keys', { name: 'one' }, text, { 'idempotency-key': 'f2b1' })
    const [first, second] = [await ask(), await ask()]
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(await first.text(), await second.text())
    assert.deepEqual(
      [first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')],
      [null, 'true'],
    )
    const { data } = (await (await app.get('/v1/keys', text)).json()) as { data: object[] }
    assert.equal(data.length, 2)
  })

  test('one of many concurrent requests runs; the others get its response or a request to wait', async () => {
    await using app = await startTestApp()
    const { text } = await app.issue()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.post('/v1/keys', { name: 'one' }, text, { 'idempotency-key': 'race' })),
    )
    const bodies = await Promise.all(
      answers.map(async (answer) => ({ status: answer.status, text: await answer.text() })),
    )
    assert.equal(new Set(bodies.filter(({ status }) => status === 201).map((body) => body.text)).size, 1)
    assert.ok(bodies.every(({ status }) => status === 201 || status === 409))
    const { data } = (await (await app.get('/v1/keys', text)).json()) as { data: object[] }
    assert.equal(data.length, 2)
  })

  test('another body or path under the same key is refused', async () => {
    await using app = await startTestApp()
    const { text, key } = await app.issue()
    const headers = { 'idempotency-key': 'f2b1' }
    assert.equal((await app.post('/v1/keys', { name: 'one' }, text, headers)).status, 201)
    assert.equal(
      (await problemOf(await app.post('/v1/keys', { name: 'two' }, text, headers))).code,
      'idempotency_key_reused',
    )
    assert.equal(
      (await problemOf(await app.post(`/v1/keys/${key.id}/rotate`, '', text, headers))).code,
      'idempotency_key_reused',
    )
  })

  test('a refused request releases its key, and accounts do not share keys', async () => {
    await using app = await startTestApp()
    const [one, other] = [await app.issue(), await app.issue()]
    const headers = { 'idempotency-key': 'f2b1' }
    assert.equal((await app.post('/v1/keys', { expires_at: '2020-01-01T00:00:00Z' }, one.text, headers)).status, 422)
    assert.equal((await app.post('/v1/keys', { name: 'corrected' }, one.text, headers)).status, 201)
    const another = await app.post('/v1/keys', { name: 'another' }, other.text, headers)
    assert.deepEqual([another.status, another.headers.get('idempotent-replayed')], [201, null])
  })

  test('a key can be reused after 24 hours', async () => {
    let passed = 0
    const runtime = { ...machine, elapsed: () => machine.elapsed() + passed }
    await using app = await startTestApp({}, { clock: () => Date.now() + passed, runtime })
    const ask = () => app.post('/v1/keys', { name: 'one' }, undefined, { 'idempotency-key': 'f2b1' })
    const first = await (await ask()).text()
    passed = 24 * 3_600_000 + 1
    assert.notEqual(await (await ask()).text(), first)
  })

  for (const bad of ['', ' ', 'a b', 'x'.repeat(256), 'ü']) {
    test(`${JSON.stringify(bad.slice(0, 10))} is no idempotency key`, async () => {
      await using app = await startTestApp()
      const { text } = await app.issue()
      const response = await app.app.server.inject({
        method: 'POST',
        url: '/v1/keys',
        headers: { authorization: `Bearer ${text}`, 'content-type': 'application/json', 'idempotency-key': bad },
        payload: '{}',
      })
      assert.deepEqual([response.statusCode, response.json<{ code: string }>().code], [400, 'malformed_request'])
    })
  }

  test('an answer can be read only with its secret, short or compressed', () => {
    for (const filling of ['', 'x'.repeat(5_000)]) {
      const answer = { status: 201, headers: { etag: '"1"' }, body: { key: 'inf_live_x', filling } }
      const { answer: encoded } = encodeAnswer(answer, 'secret')
      assert.deepEqual(decodeAnswer(encoded, 'secret'), answer)
      assert.throws(() => decodeAnswer(encoded, 'guess'))
      assert.ok(!Buffer.from(encoded).includes('inf_live_x'))
      assert.ok(encoded.byteLength < 1_000)
    }
  })

  test('a key with other rights does not get the answer', async () => {
    await using app = await startTestApp()
    const headers = { 'idempotency-key': 'f2b1' }
    const { text: strong, key } = await app.issue({ scopes: ['read', 'watch', 'operate'] })
    const weaker = { ...makeKey(key.accountId, { scopes: ['read', 'watch'] }, Date.now()) }
    const published = { ...makeKey(key.accountId, { kind: 'publishable' }, Date.now()) }
    for (const { key } of [weaker, published]) await app.store.keys.add(key, keyCap(20))
    const made = (await (await app.post('/v1/keys', { name: 'one' }, strong, headers)).json()) as { key: string }
    const refused = await app.post('/v1/keys', { name: 'one' }, weaker.text, headers)
    assert.equal((await problemOf(refused)).code, 'idempotency_key_reused')
    const other = await app.post('/v1/keys', { name: 'one' }, published.text, headers)
    assert.equal((await problemOf(other)).code, 'insufficient_scope')
    const repeated = await app.post('/v1/keys', { name: 'one' }, strong, headers)
    assert.equal(((await repeated.json()) as { key: string }).key, made.key)
  })

  test('a request whose process died can be repeated after five seconds', async () => {
    let now = Date.now()
    await using app = await startTestApp({}, { clock: () => now })
    const { text, key } = await app.issue()
    const secret = `${key.accountId} f2b1`
    const ask = () => app.post('/v1/keys', { name: 'one' }, text, { 'idempotency-key': 'f2b1' })
    const fingerprint = hash('sha256', `POST /v1/keys ${JSON.stringify({ name: 'one' })}`, 'hex')
    const dead = { id: hash('sha256', secret, 'hex'), token: 'dead', subject: key.accountId, fingerprint }
    const rights = 'live read watch'
    await app.store.idempotency.claim({ ...dead, rights }, { now, expiredBefore: 0, lostBefore: 0, lostAfter: now })
    const early = await ask()
    assert.equal(early.headers.get('retry-after'), '1')
    assert.equal((await problemOf(early)).code, 'idempotency_key_in_use')
    now += 5_001
    assert.equal((await ask()).status, 201)
    assert.equal((await ask()).headers.get('idempotent-replayed'), 'true')
  })

  test('a request that was only slow writes nothing once a repetition has taken over', async () => {
    let now = Date.now()
    await using app = await startTestApp({}, { clock: () => now })
    const { text } = await app.issue()
    const claimed = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const { claim } = app.store.idempotency
    let isFirst = true
    override(app.store, 'idempotency', {
      async claim(...values) {
        const holds = isFirst
        isFirst = false
        const result = await claim(...values)
        claimed.resolve()
        if (holds) await goOn.promise
        return result
      },
    })
    const ask = () => app.post('/v1/keys', { name: 'one' }, text, { 'idempotency-key': 'f2b1' })
    const slow = ask()
    await claimed.promise
    now += 5_001
    const heir = await ask()
    goOn.resolve()
    const problem = await problemOf(await slow)
    assert.deepEqual([heir.status, problem.code], [201, 'idempotency_key_in_use'])
    assert.match(problem.detail, /taken over/)
    const { data } = (await (await app.get('/v1/keys', text)).json()) as { data: object[] }
    assert.equal(data.length, 2)
    assert.equal(await (await ask()).text(), await heir.text())
  })

  test('an account keeps its newest answers only', async () => {
    let now = Date.now()
    await using app = await startTestApp({ PREVIEWS_PER_MINUTE: '1000' }, { clock: () => now++ })
    const { text, key } = await app.issue()
    const trims: unknown[] = []
    const { trim } = app.store.idempotency
    override(app.store, 'idempotency', {
      trim(...values) {
        trims.push(values)
        return trim(...values)
      },
    })
    for (let number = 1; number <= 100; number++) {
      const response = await app.post('/v1/watches/preview', { filter: {} }, text, { 'idempotency-key': `p${number}` })
      assert.equal(response.status, 200)
    }
    assert.deepEqual(trims, [[key.accountId, ACCOUNT_BOUNDS]])
  })
})

describe('stored with write', () => {
  interface Call {
    readonly path: string
    readonly body?: unknown
    readonly key: string | null
  }

  interface Decided {
    readonly desk: { readonly undo: { readonly step: string } }
  }

  let app: TestApp
  let endpoint: TestEndpoint
  let text: string
  let keyId: string
  let accountId: string
  let operator: string

  before(async () => {
    endpoint = await startEndpoint()
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', WATCHES_PER_ACCOUNT: '1000', SIGNUPS_PER_HOUR: '1000' })
    await app.publish([anIncident(1), anIncident(2)])
    const issued = await app.issue()
    text = issued.text
    keyId = issued.key.id
    accountId = issued.key.accountId
    operator = (await app.issue({ scopes: ['read', 'operate'] })).text
    // As if the process were killed as soon as its write is committed.
    override(app.store, 'idempotency', { finish: () => Promise.reject(new Error('the process was killed')) })
  })

  after(async () => {
    await app[Symbol.asyncDispose]()
    await endpoint[Symbol.asyncDispose]()
  })

  /**
   * Requests that write nothing, or whose work adds up when it is done twice. A bulk move has a
   * transaction for each incident: repeated after a kill, it moves the rest and refuses what was
   * moved.
   */
  const STORED_AFTERWARDS = new Set([
    'previewWatch',
    'testWatch',
    'retryWatch',
    'recoverWatch',
    'mailRecoveryLink',
    'moveInBulk',
  ])

  let names = 0
  const aName = () => `Name ${++names}`
  const idOf = async (response: Promise<Response>) => ((await (await response).json()) as { id: string }).id
  const reported = () => idOf(app.post('/v1/reports', aReport(), operator))

  /** The path of two reports that are alike. */
  const alikePath = async () => `/v1/desk/incidents/${await reported()}/duplicates/${await reported()}`

  /** A new report after the named decisions. */
  async function decided(...moves: readonly (readonly [move: string, body?: object])[]): Promise<string> {
    const id = await reported()
    for (const [move, body] of moves) {
      const response = await app.post(`/v1/desk/incidents/${id}/${move}`, body ?? '', operator)
      assert.ok(response.ok, await response.text())
    }
    return id
  }
  const rejected = () => decided(['reject'])
  const retracted = () => decided(['confirm'], ['retract'])
  const merged = () => decided(['merge', { into: anIncident(2).id }])
  const claimed = () => decided(['claim'])
  const watched = () => idOf(app.post('/v1/watches', { name: aName(), url: endpoint.url, filter: {} }, text))

  async function proposed(): Promise<string> {
    const id = await reported()
    return `/v1/desk/incidents/${id}/proposed-sources/${await proposeSource(app.store, id)}`
  }

  async function delivered(): Promise<string> {
    const watch = await watched()
    await app.post(`/v1/desk/incidents/${await reported()}/confirm`, '', operator)
    await until(() => endpoint.messages.some(({ json }) => json.watch_id === watch))
    return endpoint.messages.find(({ json }) => json.watch_id === watch)!.json.id
  }

  const CALLS: Readonly<Record<string, () => Call | Promise<Call>>> = {
    createReports: () => ({ path: '/v1/reports', body: aReport(), key: operator }),
    confirmIncident: async () => ({ path: `/v1/desk/incidents/${await reported()}/confirm`, key: operator }),
    rejectIncident: async () => ({ path: `/v1/desk/incidents/${await reported()}/reject`, key: operator }),
    retractIncident: () => ({ path: `/v1/desk/incidents/${anIncident(1).id}/retract`, key: operator }),
    mergeIncident: async () => ({
      path: `/v1/desk/incidents/${await reported()}/merge`,
      body: { into: anIncident(2).id },
      key: operator,
    }),
    reopenIncident: async () => ({ path: `/v1/desk/incidents/${await rejected()}/reopen`, key: operator }),
    restoreIncident: async () => ({ path: `/v1/desk/incidents/${await retracted()}/restore`, key: operator }),
    unmergeIncident: async () => ({ path: `/v1/desk/incidents/${await merged()}/unmerge`, key: operator }),
    undoStep: async () => {
      const id = await reported()
      const { desk } = (await (await app.post(`/v1/desk/incidents/${id}/reject`, '', operator)).json()) as Decided
      return { path: `/v1/desk/incidents/${id}/undo`, body: { step: desk.undo.step }, key: operator }
    },
    claimIncident: async () => ({ path: `/v1/desk/incidents/${await reported()}/claim`, key: operator }),
    releaseIncident: async () => ({ path: `/v1/desk/incidents/${await claimed()}/release`, key: operator }),
    addNote: async () => ({
      path: `/v1/desk/incidents/${await reported()}/notes`,
      body: { note: 'A call to the police.' },
      key: operator,
    }),
    redactIncident: async () => ({
      path: `/v1/desk/incidents/${await reported()}/redact`,
      body: { fields: ['summary'], reason: 'Asked for' },
      key: operator,
    }),
    dismissDuplicate: async () => ({ path: `${await alikePath()}/dismiss`, key: operator }),
    offerDuplicate: async () => {
      const path = await alikePath()
      await app.post(`${path}/dismiss`, '', operator)
      return { path: `${path}/offer`, key: operator }
    },
    createSource: () => ({
      path: '/v1/admin/sources',
      body: { url: `${endpoint.url}/${aName().replace(' ', '-')}`, publisher: 'Zamfara Herald', paused: true },
      key: operator,
    }),
    acceptProposedSource: async () => ({ path: `${await proposed()}/accept`, key: operator }),
    dismissProposedSource: async () => ({ path: `${await proposed()}/dismiss`, body: { queue: true }, key: operator }),
    closeUnplacedStory: async () => ({
      path: `/v1/desk/unplaced-stories/${await addUnplacedStory(app.store)}/close`,
      key: operator,
    }),
    setPublisher: () => ({
      path: '/v1/desk/publishers',
      body: { name: 'Zamfara Herald', class: 'local' },
      key: operator,
    }),
    addPlace: () => ({
      path: '/v1/admin/places',
      body: { name: 'Gonin Gora', lat: 10.41, lng: 7.41 },
      key: operator,
    }),
    createArea: () => ({
      path: '/v1/areas',
      body: { name: aName(), circle: { lat: 10.5, lng: 7.4, radius_km: 25 } },
      key: text,
    }),
    createSites: () => ({
      path: '/v1/sites',
      body: { name: aName(), sites: [{ name: 'Depot', latitude: 10.5, longitude: 7.4, radius_km: 25 }] },
      key: text,
    }),
    createWatch: () => ({ path: '/v1/watches', body: { name: aName(), url: endpoint.url, filter: {} }, key: text }),
    rotateSecret: async () => ({ path: `/v1/watches/${await watched()}/rotate-secret`, key: text }),
    redeliverAll: async () => {
      await delivered()
      return { path: '/v1/deliveries/redeliver', body: { status: 'delivered' }, key: text }
    },
    redeliver: async () => ({ path: `/v1/deliveries/${await delivered()}/redeliver`, key: text }),
    createKey: () => ({ path: '/v1/keys', body: { email: 'a@example.org' }, key: null }),
    createAccountKey: () => ({
      path: `/v1/admin/accounts/${accountId}/keys`,
      body: { scopes: ['read'] },
      key: operator,
    }),
    rotateKey: () => ({ path: `/v1/keys/${keyId}/rotate`, key: text }),
  }

  for (const { id, method, path } of ENDPOINTS.filter(
    (each) => each.method === 'POST' && !each.readsOnly && !each.neverReplayed,
  )) {
    if (STORED_AFTERWARDS.has(id)) continue
    test(`${method} ${path} is answered again alike if the process was killed after its write`, async () => {
      assert.ok(CALLS[id], `${id} needs an entry in CALLS, or in STORED_AFTERWARDS if it writes nothing`)
      const { path, body = '', key } = await CALLS[id]()
      const ask = () => app.post(path, body, key, { 'idempotency-key': `${id}-1` })
      const first = await ask()
      const firstText = await first.text()
      assert.ok(first.ok, firstText)
      const second = await ask()
      assert.equal(second.headers.get('idempotent-replayed'), 'true')
      assert.deepEqual(
        [second.status, await second.text(), second.headers.get('etag')],
        [first.status, firstText, first.headers.get('etag')],
      )
    })
  }

  test('the batch of reports is answered again alike', async () => {
    const batch = [aReport(), { type: 'no type' }, aReport({ summary: 'Another attack on the same road.' })]
    const ask = () => app.post('/v1/reports', batch, operator, { 'idempotency-key': 'batch' })
    const first = await ask()
    const second = await ask()
    assert.deepEqual([first.status, second.status], [207, 207])
    assert.equal(await second.text(), await first.text())
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
  })

  test('a bulk move that is repeated after a kill moves nothing twice', async () => {
    const ids = [await reported(), await reported()]
    const ask = async () => {
      const response = await app.post('/v1/desk/bulk', { ids, move: 'confirm' }, operator)
      return (await response.json()) as { done: number; refused: number; data: { problem?: { code: string } }[] }
    }
    assert.equal((await ask()).done, 2)
    const again = await ask()
    assert.deepEqual([again.done, again.refused], [0, 2])
    assert.deepEqual(new Set(again.data.map(({ problem }) => problem?.code)), new Set(['not_in_this_state']))
  })
})
