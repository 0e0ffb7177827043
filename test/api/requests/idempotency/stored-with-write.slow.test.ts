import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ENDPOINTS } from '../../../../src/api/contract/reference.ts'
import { override, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { addUnplacedStory, proposeSource } from '../../../support/desk.ts'
import { anIncident, aReport } from '../../../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../../../support/receivers.ts'

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
