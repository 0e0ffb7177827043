import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { addKey, type KeyRequest, keyCap } from '../../src/accounts/keys.ts'
import { newSession } from '../../src/accounts/sign-in.ts'
import { openApi } from '../../src/api/contract/openapi.ts'
import type { Account, Role } from '../../src/domain/accounts.ts'
import { newIdentifier } from '../../src/domain/identifier.ts'
import { generateKey, type Scope } from '../../src/domain/keys.ts'
import { aPasskey } from '../store/fixtures.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { geographyFiles } from '../support/boundaries.ts'
import { addUnplacedStory, proposeSource } from '../support/desk.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident, aReport } from '../support/incident.ts'
import { startEndpoint } from '../support/receivers.ts'
import { openMember } from '../support/sign-in.ts'

interface Row {
  readonly name: string
  readonly operation: string
  readonly needs: readonly [string, ...string[]]
  readonly whose: string
}

const TABLE = readFileSync(`${import.meta.dirname}/who-may-do-what.txt`, 'utf8')
const ROWS = TABLE.split('\n').flatMap((line): Row[] => {
  if (line === '' || line.startsWith('#')) return []
  const [name, needs, whose = ''] = line.split(/ {2,}/) as [string, string, string?]
  return [{ name, operation: name.split(':')[0]!, needs: needs.split(' + ') as [string, ...string[]], whose }]
})

/** The scopes that a role leaves to keys and gives to sessions. */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  client: ['read', 'watch'],
  reporter: ['read', 'watch', 'report'],
  editor: ['read', 'watch', 'report', 'review'],
  admin: ['read', 'watch', 'report', 'review', 'admin'],
}

interface Caller {
  readonly name: string
  /** The scopes in effect. */
  readonly may: readonly Scope[]
  readonly role: Role
  /**
   * `wrong` credentials are always refused. Those that are `over` count as none where none is
   * needed, as do sessions on the pages of an `other site`.
   */
  readonly kind: 'nobody' | 'live' | 'publishable' | 'session' | 'wrong' | 'over' | 'other site'
  /** The answer to credentials that are `wrong` or `over`. */
  readonly refusal: string | null
  /** Whether the request comes from a page of another site. */
  readonly isElsewhere: boolean
  /** Whether the things that the request names are those of another account. */
  readonly isStranger: boolean
  /** The account whose things the request names. */
  readonly account: Owner
  headers(): Promise<Record<string, string>>
}

const ADMITTED = 'admitted'

function expectedFor({ needs: [first, ...further], whose }: Row, method: string, caller: Caller): string {
  const { kind, may, role } = caller
  if (kind === 'wrong') return caller.refusal!
  if (further.includes('here') && caller.isElsewhere) return '403 cross_origin_request'
  if (kind === 'nobody' || kind === 'over' || kind === 'other site') {
    if (first.startsWith('none')) return further.includes('account') ? '401 missing_key' : ADMITTED
    if (kind === 'over') return caller.refusal!
    return kind === 'nobody' || method === 'GET' ? '401 missing_key' : '403 cross_origin_request'
  }
  const has = (need: string) => {
    if (need === 'role') return SCOPES_OF[role].every((scope) => may.includes(scope))
    if (need === 'admin above client') return role === 'client' || may.includes('admin')
    return ['none', 'account', 'secret', 'here'].includes(need) || may.includes(need as Scope)
  }
  if (!has(first === 'none, watch if given' ? 'watch' : first)) return '403 insufficient_scope'
  if (kind === 'publishable' && further.includes('account') && whose === 'own') return '401 missing_key'
  if (kind === 'publishable' && further.includes('secret')) return '403 insufficient_scope'
  if (caller.isStranger && whose === 'own') return '404 not_found'
  return further.every(has) ? ADMITTED : '403 insufficient_scope'
}

/** Refusals that only those who were admitted get, whatever their status. */
const AFTER_ADMISSION = ['passkey_refused', 'mail_not_set_up']

function outcomeOf(status: number, text: string): string {
  if (status < 400) return ADMITTED
  const { code } = JSON.parse(text) as { code: string }
  const isAdmitted = [400, 409, 410, 412, 422].includes(status) || AFTER_ADMISSION.includes(code)
  return isAdmitted ? ADMITTED : `${status} ${code}`
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Operation {
  readonly operationId: string
  readonly description: string
  readonly 'x-required-scope': string
  readonly parameters: readonly { name: string; in: string; required: boolean; example?: unknown }[]
  readonly requestBody?: { content: Record<string, { schema: { example?: unknown } }> }
  readonly responses: Record<string, { content?: Record<string, unknown> }>
}

const { paths } = openApi('1', 'http://localhost') as { paths: Record<string, Record<string, Operation>> }
const OPERATIONS = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = name.toUpperCase() as Method
      return [operation.operationId, { path, method, ...operation }] as const
    }),
  ),
)

/** An account with things, each made when it is first named and again once it may be used up. */
class Owner {
  readonly account: Account
  readonly key: string
  /** The ids of everything that its lists have. */
  readonly ids = new Set<string>()
  readonly #made = new Map<string, string>()

  constructor(account: Account, key: string) {
    this.account = account
    this.key = key
  }

  async thing(kind: string): Promise<string> {
    const made = this.#made.get(kind) ?? (await MAKERS[kind]!(this))
    this.#made.set(kind, made)
    if (Object.values(LISTED).includes(kind)) this.ids.add(made)
    return made
  }

  forget(kinds: Iterable<string>): void {
    for (const kind of kinds) this.#made.delete(kind)
  }
}

const parts = new AsyncDisposableStack()
let app: TestApp
let endpointUrl: string
let owner: Owner
let callers: Caller[]
let calls = 0
/** Of the callers with sessions, by account and key. */
const cookies = new Map<string, string>()

async function post(path: string, body: unknown, key: string): Promise<string> {
  const response = await app.post(path, body, key)
  assert.ok(response.ok, `${path}: ${await response.clone().text()}`)
  return ((await response.json()) as { id: string }).id
}

async function issue(accountId: string, request: KeyRequest) {
  const issued = await addKey(() => app.store, accountId, request, keyCap(100_000), Date.now())
  assert.ok(typeof issued === 'object', String(issued))
  return issued
}

async function openSession(accountId: string, keyId: string | null, now = Date.now()) {
  const { session, secret } = newSession({ method: keyId === null ? 'link' : 'key', keyId }, undefined, now)
  await app.store.sessions.open({ ...session, accountId }, 1000)
  return { id: session.id, cookie: `session=${secret}` }
}

const circle = { lat: 10.5, lng: 7.4, radius_km: 25 }
const sites = [{ name: 'Depot', latitude: 10.5, longitude: 7.4, radius_km: 25 }]
const aWatch = (filter: object = {}) => ({ name: randomUUID(), url: endpointUrl, filter })
const aSource = () => ({ url: `${endpointUrl}/${randomUUID()}`, publisher: 'Herald', paused: true })
const anEmail = () => `${randomUUID()}@example.org`
// Days apart, so that they are not near-duplicates of each other.
const reported = () => post('/v1/reports', aReport({ occurred_at: new Date(calls * 86_400_000) }), owner.key)
const member = async (role: Role) => (await openMember(app.store, role)).id

const MAKERS: Readonly<Record<string, (of: Owner) => Promise<string>>> = {
  area: ({ key }) => post('/v1/areas', { name: randomUUID(), circle }, key),
  sites: ({ key }) => post('/v1/sites', { name: randomUUID(), sites }, key),
  watch: ({ key }) => post('/v1/watches', aWatch(), key),
  delivery: async (of) => post(`/v1/watches/${await of.thing('watch')}/test`, '', of.key),
  key: async ({ account }) => (await issue(account.id, { scopes: ['watch'] })).key.id,
  'whole key': async ({ account }) => (await issue(account.id, { scopes: SCOPES_OF[account.role] })).key.id,
  session: async ({ account }) =>
    (await openSession(account.id, (await issue(account.id, { scopes: ['read'] })).key.id)).id,
  'whole session': async ({ account }) => (await openSession(account.id, null)).id,
  passkey: async ({ account }) => {
    const id = newIdentifier('passkey', Date.now(), randomBytes)
    await app.store.passkeys.add(aPasskey(1, { id, accountId: account.id, credentialId: id }), 1000)
    return id
  },
  report: (of) => (of.account.role === 'client' ? owner.thing('report') : post('/v1/reports', aReport(), of.key)),
  published: async () => anIncident(1).id,
  incident: reported,
  other: reported,
  step: async (of) => {
    const path = `/v1/desk/incidents/${await of.thing('incident')}`
    await post(`${path}/reject`, {}, owner.key)
    const { desk } = (await (await app.get(path, owner.key)).json()) as { desk: { undo: { step: string } } }
    return desk.undo.step
  },
  proposal: async (of) => proposeSource(app.store, await of.thing('incident')),
  story: () => addUnplacedStory(app.store),
  place: () => post('/v1/admin/places', { name: `Place ${randomUUID()}`, lat: 10.41, lng: 7.41 }, owner.key),
  publisher: async () => {
    const name = `Herald ${randomUUID()}`
    await post('/v1/desk/publishers', { name, class: 'local' }, owner.key)
    return name
  },
  source: () => post('/v1/admin/sources', aSource(), owner.key),
  client: () => member('client'),
  editor: () => member('editor'),
  admin: () => member('admin'),
  'key of a client': async () => (await issue(await member('client'), {})).key.id,
}

/** The thing that a path names, by what stands before it. */
const NAMED_BY_PATH: Readonly<Record<string, string>> = {
  '/v1/areas': 'area',
  '/v1/sites': 'sites',
  '/v1/watches': 'watch',
  '/v1/deliveries': 'delivery',
  '/v1/incidents': 'published',
  '/incidents': 'published',
  '/v1/reports': 'report',
  '/v1/desk/incidents': 'incident',
  '/v1/desk/incidents/{id}/duplicates': 'other',
  '/v1/desk/incidents/{id}/proposed-sources': 'proposal',
  '/v1/desk/unplaced-stories': 'story',
  '/v1/desk/publishers': 'publisher',
  '/v1/admin/places': 'place',
  '/v1/keys': 'key',
  '/v1/sessions': 'session',
  '/v1/passkeys': 'passkey',
  '/v1/admin/accounts': 'client',
  '/v1/admin/keys': 'key of a client',
  '/v1/admin/sources': 'source',
}

/** The thing that the answer lists or counts. */
const LISTED: Readonly<Record<string, string>> = {
  listAreas: 'area',
  listSites: 'sites',
  listWatches: 'watch',
  listAllDeliveries: 'delivery',
  redeliverAll: 'delivery',
  listReports: 'report',
  listKeys: 'key',
  listSessions: 'session',
  listPasskeys: 'passkey',
}

type Thing = (kind: string) => Promise<string>

interface Given {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const queryNaming = (name: string, kind: string) => async (thing: Thing) => ({ query: `${name}=${await thing(kind)}` })
const pathNaming = (kind: string) => async (thing: Thing) => ({ path: { id: await thing(kind) } })
const inArea = queryNaming('area', 'area')
const tile = { z: '5', x: '16', y: '15' }

/** Requests other than the document's example with the things that its path names. */
const REQUESTS: Readonly<Record<string, (thing: Thing, of: Owner) => Promise<Given> | Given>> = {
  'listIncidents: in a saved area': inArea,
  'listIncidentsUnprefixed: in a saved area': inArea,
  'listIncidents: near saved sites': queryNaming('sites', 'sites'),
  'queryIncidents: in a saved area': async (thing) => ({ body: { area: await thing('area') } }),
  'readStatistics: in a saved area': queryNaming('group_by=state&area', 'area'),
  'queryStatistics: in a saved area': async (thing) => ({ body: { group_by: ['state'], area: await thing('area') } }),
  'readTrends: in a saved area': queryNaming('period=month&area', 'area'),
  readTile: () => ({ path: tile }),
  'readTile: in a saved area': async (thing) => ({ path: tile, ...(await inArea(thing)) }),
  'readStream: in a saved area': inArea,
  downloadMonth: () => ({ path: { file: '2026-05.ndjson' } }),
  createArea: () => ({ body: { name: randomUUID(), circle } }),
  createSites: () => ({ body: { name: randomUUID(), sites } }),
  createWatch: () => ({ body: aWatch() }),
  'createWatch: in a saved area': async (thing) => ({ body: aWatch({ area: await thing('area') }) }),
  'changeWatch: to a saved area': async (thing) => ({ body: { filter: { area: await thing('area') } } }),
  'previewWatch: in a saved area': async (thing) => ({ body: { filter: { area: await thing('area') } } }),
  explainWatch: queryNaming('incident', 'published'),
  'listAllDeliveries: of a watch': queryNaming('watch', 'watch'),
  'redeliverAll: of a watch': async (thing) => ({ body: { watch: [await thing('watch')] } }),
  'listen: in a saved area': inArea,
  'listen: to a watch': queryNaming('watch', 'watch'),
  changeDesk: () => ({ headers: { 'if-match': '*' } }),
  mergeIncident: async (thing) => ({ body: { into: await thing('other') } }),
  undoStep: async (thing) => ({ body: { step: await thing('step') } }),
  moveInBulk: async (thing) => ({ body: { ids: [await thing('incident')], move: 'reject' } }),
  createKey: () => ({ body: { email: anEmail(), scopes: ['watch'] } }),
  'createKey: that only reads': () => ({ body: { email: anEmail(), scopes: ['read'] } }),
  'changeKey: one with every scope': pathNaming('whole key'),
  'rotateKey: one with every scope': pathNaming('whole key'),
  'revokeKey: one with every scope': pathNaming('whole key'),
  // Refused only after all rights have been checked.
  deleteMe: () => ({ body: { confirm: 'another account' } }),
  createSession: async () => ({ body: { key: (await issue(owner.account.id, {})).text } }),
  'endSession: this one': () => ({ path: { id: 'current' } }),
  'endSession: one with every scope': pathNaming('whole session'),
  'endAllSessions: one with every scope': pathNaming('whole session'),
  'endAllSessions: of a key that reads': async (_, of) => {
    await app.store.sessions.endAll(of.account.id, Date.now(), null)
    await MAKERS.session!(of)
    return {}
  },
  'passkeyOptions: to add one': () => ({ body: { for: 'registration' } }),
  createPasskey: () => ({ body: { credential: { id: 'none' } } }),
  'inviteAccount: a client': () => ({ body: { email: anEmail(), name: 'Ada Obi', role: 'client' } }),
  'inviteAccount: an editor': () => ({ body: { email: anEmail(), name: 'Ada Obi', role: 'editor' } }),
  changeAccount: () => ({ body: { name: 'Ada Obi' } }),
  'changeAccount: to editor': () => ({ body: { role: 'editor' } }),
  'createAccountKey: with one scope': async (thing) => ({
    ...(await pathNaming('admin')(thing)),
    body: { scopes: ['admin'] },
  }),
  'createAccountKey: with every scope': pathNaming('admin'),
  'createSignInLink: for an editor': pathNaming('editor'),
  createSource: () => ({ body: aSource() }),
}

/** Calls the operation about things of the caller's account, or for a stranger of another one. */
async function call(row: Row, caller: Caller): Promise<{ outcome: string; text: string }> {
  const { path, method, parameters, requestBody, responses } = OPERATIONS.get(row.operation)!
  const used = new Set<string>()
  const thing: Thing = (kind) => {
    used.add(kind)
    return caller.account.thing(kind)
  }
  if (row.operation in LISTED) await thing(LISTED[row.operation]!)
  const given = (await REQUESTS[row.name]?.(thing, caller.account)) ?? {}
  let url = path
  for (const { name } of parameters.filter((one) => one.in === 'path')) {
    const before = path.slice(0, path.indexOf(`/{${name}}`))
    url = url.replace(`{${name}}`, encodeURIComponent(given.path?.[name] ?? (await thing(NAMED_BY_PATH[before]!))))
  }
  const required = parameters.filter((one) => one.in === 'query' && one.required)
  const query = given.query ?? required.map(({ name, example }) => `${name}=${example}`).join('&')
  if (query !== '') url += `?${query}`
  const body = given.body ?? requestBody?.content['application/json']?.schema.example
  // The request before may have ended all sessions of the account.
  if (path.startsWith('/v1/sessions')) cookies.clear()
  const headers = {
    // Wrong keys, sign-ups and tips are limited for each address.
    'x-forwarded-for': `198.18.${++calls >> 8}.${calls & 255}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...given.headers,
    ...(await caller.headers()),
  }
  const isStream = responses[200]?.content?.['text/event-stream'] !== undefined
  const sent = { method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const { status, text } = await (isStream ? openStream(url, headers) : send(sent))
  const outcome = outcomeOf(status, text)
  if (outcome === ADMITTED && method !== 'GET') caller.account.forget(used)
  return { outcome, text }
}

async function send(sent: { method: Method; url: string; headers: Record<string, string>; body?: string }) {
  const { statusCode, payload } = await app.app.server.inject(sent)
  return { status: statusCode, text: payload }
}

/** Over a connection, which can be left: a stream has no end. */
async function openStream(url: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const leaving = new AbortController()
  const response = await fetch(app.url + url, { headers, signal: leaving.signal })
  if (!response.ok) return { status: response.status, text: await response.text() }
  leaving.abort()
  return { status: response.status, text: '' }
}

/** Nobody reaches things of another account; the answers to the account itself have them. */
async function checkContents({ operation, needs, whose }: Row, caller: Caller, text: string): Promise<void> {
  const counts = /"\w+":[1-9]/.test(text)
  if (caller.isStranger) {
    if (whose === 'counts') assert.ok(!counts, `${caller.name} reaches another account: ${text}`)
    if (!['read', 'watch', 'report'].includes(needs[0])) return
    for (const id of owner.ids) assert.ok(!text.includes(id), `${caller.name} is shown ${id}: ${text}`)
  } else if (whose === 'lists') {
    const id = await caller.account.thing(LISTED[operation]!)
    assert.ok(text.includes(id), `${caller.name} is not shown ${id}: ${text}`)
  } else if (whose === 'counts') assert.ok(counts, `${caller.name} reaches nothing: ${text}`)
}

async function ownerOf(role: Role, changes: Partial<Account> = {}): Promise<Owner> {
  const account = await openMember(app.store, role, { email: anEmail(), ...changes })
  return new Owner(account, (await issue(account.id, { scopes: ['read', 'watch', 'operate'] })).text)
}

async function makeCallers(): Promise<Caller[]> {
  const { store } = app
  const { id } = owner.account
  const now = Date.now()
  const ofKey = (text: string, origin?: string) => async () => ({
    authorization: `Bearer ${text}`,
    ...(origin && { origin }),
  })
  const ofCookie = (cookie: string) => async () => ({ cookie, 'sec-fetch-site': 'same-origin' })
  const ofSession = (accountId: string, keyId: string | null = null) => {
    const name = `${accountId} ${keyId}`
    return async () => {
      const cookie = cookies.get(name) ?? (await openSession(accountId, keyId)).cookie
      cookies.set(name, cookie)
      return ofCookie(cookie)()
    }
  }
  const keyWith = async (request: KeyRequest) => ofKey((await issue(id, request)).text)
  const caller = (name: string, headers: Caller['headers'], more: Partial<Caller>): Caller => ({
    ...{ name, headers, may: [], role: 'admin', kind: 'live', account: owner },
    ...{ refusal: null, isElsewhere: false, isStranger: false },
    ...more,
  })
  const byScope = async (scope: Scope) =>
    caller(`a key with ${scope}`, await keyWith({ scopes: [scope] }), {
      may: scope === 'operate' ? ['report', 'review', 'admin'] : [scope],
    })
  const byRole = async (role: Role) => {
    const account = await ownerOf(role, { emailVerifiedAt: now })
    const more = { may: SCOPES_OF[role], role, account }
    return [
      caller(`every scope, for the role ${role}`, ofKey(account.key), more),
      caller(`a session, role ${role}`, ofSession(account.account.id), { ...more, kind: 'session' }),
    ]
  }
  const every = SCOPES_OF.admin
  const revoked = await issue(id, { scopes: every })
  await store.keys.revoke(id, revoked.key.id, now, 'allow')
  const blocked = await ownerOf('admin')
  await store.accounts.change(blocked.account.id, { status: 'blocked' }, now)
  const ended = await openSession(id, null)
  await store.sessions.end(id, ended.id, now)
  const old = await openSession(id, null, now - 8 * 86_400_000)
  const reading = (await issue(id, { scopes: ['read'] })).key.id
  const bound = (await issue(id, { kind: 'publishable', origins: ['https://example.org'] })).text
  const [stranger, client] = [await ownerOf('admin'), await ownerOf('client')]
  const wrong = { kind: 'wrong' } as const
  const over = { kind: 'over' } as const
  const publishable = { kind: 'publishable', may: ['read'] } as const
  return [
    caller('nobody', async () => ({}), { kind: 'nobody' }),
    caller('an unknown key', ofKey(generateKey('live', randomBytes)), { ...wrong, refusal: '401 unknown_key' }),
    caller('a revoked key', ofKey(revoked.text), { ...wrong, refusal: '401 revoked_key' }),
    caller('an expired key', await keyWith({ scopes: every, expiresAt: now }), {
      ...wrong,
      refusal: '401 expired_key',
    }),
    caller('a blocked key', ofKey(blocked.key), { ...wrong, refusal: '403 account_blocked' }),
    caller('a blocked session', ofSession(blocked.account.id), { ...over, refusal: '403 account_blocked' }),
    caller('an ended session', ofCookie(ended.cookie), { ...over, refusal: '401 session_ended' }),
    caller('a session of last week', ofCookie(old.cookie), { ...over, refusal: '401 session_ended' }),
    caller(
      'a session on another site',
      async () => ({ ...(await ofSession(id)()), 'sec-fetch-site': 'cross-site', origin: 'https://example.net' }),
      { kind: 'other site', isElsewhere: true },
    ),
    ...(await Promise.all((['read', 'watch', 'report', 'review', 'admin', 'operate'] as const).map(byScope))),
    caller('a session of a key that reads', ofSession(id, reading), { kind: 'session', may: ['read'] }),
    caller('a publishable key', await keyWith({ kind: 'publishable' }), publishable),
    caller('a bound one', ofKey(bound, 'https://example.org'), { ...publishable, isElsewhere: true }),
    caller('a bound one elsewhere', ofKey(bound, 'https://example.net'), {
      ...wrong,
      refusal: '403 origin_not_allowed',
    }),
    ...(await Promise.all((['client', 'reporter', 'editor', 'admin'] as const).map(byRole))).flat(),
    caller('a reading key of a client', ofKey((await issue(client.account.id, { scopes: ['read'] })).text), {
      ...{ may: ['read'], role: 'client', account: client },
    }),
    caller('another admin', ofKey(stranger.key), { may: every, isStranger: true }),
    caller('another session', ofSession(stranger.account.id), { kind: 'session', may: every, isStranger: true }),
    caller('another client, not verified', ofKey(client.key), {
      ...{ may: SCOPES_OF.client, role: 'client', isStranger: true },
    }),
  ]
}

describe('who may do what', () => {
  before(async () => {
    const folder = parts.use(await temporaryFolder())
    endpointUrl = parts.use(await startEndpoint()).url
    const many = '100000'
    app = parts.use(
      await startTestApp({
        ...(await geographyFiles(folder.path)),
        ...{
          TRUST_PROXY: 'loopback',
          WEBHOOK_ALLOW_PRIVATE: 'true',
          KEYS_PER_ACCOUNT: many,
          STREAMS_PER_ACCOUNT: '1000',
        },
        ...{ WATCHES_PER_ACCOUNT: many, AREAS_PER_ACCOUNT: many, SITE_LISTS_PER_ACCOUNT: '1000' },
        ...{ PREVIEWS_PER_MINUTE: many, WATCH_TESTS_PER_MINUTE: many, SITE_UPLOADS_PER_MINUTE: many },
        ...{ RATE_LIMIT_SESSION: many, RATE_LIMIT_PUBLISHABLE: many },
      }),
    )
    await app.publish([anIncident(1, { published_at: '2026-05-02T06:00:00Z' })])
    owner = await ownerOf('admin')
    callers = await makeCallers()
  })
  after(() => parts.disposeAsync())

  for (const row of ROWS) {
    test(`${row.name}: ${row.needs.join(' + ')}`, async () => {
      const expected: Record<string, string> = {}
      const observed: Record<string, string> = {}
      for (const caller of callers) {
        expected[caller.name] = expectedFor(row, OPERATIONS.get(row.operation)!.method, caller)
        const { outcome, text } = await call(row, caller)
        observed[caller.name] = outcome
        if (outcome === ADMITTED) await checkContents(row, caller, text)
      }
      assert.deepEqual(observed, expected)
    })
  }

  test('every operation has a row, and its entry in the document names the same scope', () => {
    const listed = new Set(ROWS.map(({ operation }) => operation))
    const missing = [...OPERATIONS.keys()].filter((id) => !listed.has(id))
    assert.deepEqual(missing, [], 'these operations have no row: write into who-may-do-what.txt who may call them')
    for (const { name, operation, needs } of ROWS) {
      const declared = OPERATIONS.get(operation)
      assert.ok(declared, `${name}: the document has no such operation`)
      const scope = needs[0].split(',')[0]!
      assert.equal(declared['x-required-scope'], scope, name)
      const last = declared.description.split('\n\n').at(-1)!
      assert.ok(last.includes(scope === 'none' ? 'without a key' : `\`${scope}\``), `${name}: ${last}`)
      const takesArea = declared.parameters.some((one) => one.name === 'area')
      assert.ok(!takesArea || ROWS.some((one) => one.name === `${operation}: in a saved area`), `${name}: saved areas`)
    }
  })
})
