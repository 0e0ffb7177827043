import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { Endpoint, EndpointResponse } from '../../src/api/contract/endpoint.ts'
import { ENDPOINTS, SCHEMAS } from '../../src/api/contract/reference.ts'
import { places } from '../../src/geo/places.ts'
import { aBrowser } from '../deliveries/fixtures.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { squaresAround } from '../support/boundaries.ts'
import { addUnplacedStory, aProof, aTip, EASY_PROOF, postTip, proposeSource } from '../support/desk.ts'
import { anIncident, aReport } from '../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../support/receivers.ts'
import { postSession, type SignedIn, SoftwarePasskey, signIn } from '../support/sign-in.ts'

const ROAD = [
  [7.49, 9.06],
  [7.44, 10.52],
]
let app: TestApp
let endpoint: TestEndpoint
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-'))
  const file = join(folder, 'boundaries.geojson')
  await writeFile(file, JSON.stringify(squaresAround(places.lgas.slice(0, 3))))
  const roads = join(folder, 'roads.geojson')
  const road = { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: ROAD } }
  await writeFile(roads, JSON.stringify({ type: 'FeatureCollection', features: [road] }))
  endpoint = await startEndpoint()
  app = await startTestApp({
    LGA_BOUNDARIES: file,
    MAP_ROADS: roads,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    SMTP_URL: 'smtp://127.0.0.1:1',
    SIGNUPS_PER_HOUR: '1000',
    ...EASY_PROOF,
  })
  await app.publish([
    anIncident(1),
    anIncident(2, { lga: null, location: { ...anIncident().location, lga_code: null, lga_basis: null } }),
  ])
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await endpoint[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function withPasskey(target: TestApp): Promise<{ person: SignedIn; added: Response }> {
  const person = await signIn(target, 'editor')
  const options = await person.send('POST', '/v1/passkeys/options', { for: 'registration' })
  const { challenge } = (await options.json()) as { challenge: string }
  const credential = new SoftwarePasskey(target.url).register(challenge)
  return { person, added: await person.send('POST', '/v1/passkeys', { credential }) }
}

function complaints(schema: Endpoint['response']['schema'], body: unknown): unknown[] {
  const validator = Compile(SCHEMAS as Parameters<typeof Compile>[0], schema!)
  return validator.Check(body) ? [] : [...validator.Errors(body)]
}

/** A request for each endpoint that succeeds; an endpoint without an entry fails the test below. */
async function succeed({ id }: Endpoint): Promise<Response> {
  const { key, text } = await app.issue()
  const { text: operator } = await app.issue({ scopes: ['read', 'operate'] })
  const reported = async () => {
    const response = await app.post('/v1/reports', aReport(), operator)
    return ((await response.json()) as { id: string }).id
  }
  /** The path of two reports that are alike. */
  const alikePath = async () => `/v1/desk/incidents/${await reported()}/duplicates/${await reported()}`
  const decided = async (move: string, body: unknown = '') => {
    const id = await reported()
    await app.post(`/v1/desk/incidents/${id}/${move}`, body, operator)
    return id
  }
  const anArea = () => ({ name: 'Mine', circle: { lat: 10.5, lng: 7.4, radius_km: 25 } })
  const savedArea = async () => {
    const response = await app.post('/v1/areas', anArea(), text)
    return ((await response.json()) as { id: string }).id
  }
  const someSites = () => ({
    name: 'Mine',
    sites: [{ name: 'Depot', latitude: 10.5, longitude: 7.4, radius_km: 25, reference: 'KD-1' }],
  })
  const savedSites = async () => {
    const response = await app.post('/v1/sites', someSites(), text)
    return ((await response.json()) as { id: string }).id
  }
  const aWatch = () => ({ name: 'Mine', url: endpoint.url, filter: {} })
  const watched = async () => {
    const response = await app.post('/v1/watches', aWatch(), text)
    return ((await response.json()) as { id: string }).id
  }
  const delivered = async () => {
    const watch = await watched()
    await app.post(`/v1/desk/incidents/${await reported()}/confirm`, '', operator)
    await until(() => endpoint.messages.some(({ json }) => json.watch_id === watch))
    return endpoint.messages.find(({ json }) => json.watch_id === watch)!.json
  }
  const aNewsSource = () => ({
    url: `${endpoint.url}/${randomUUID()}`,
    publisher: 'Zamfara Herald',
    paused: true,
  })
  const sourced = async () => {
    const response = await app.post('/v1/admin/sources', aNewsSource(), operator)
    return ((await response.json()) as { id: string }).id
  }
  const calls: Record<string, () => Promise<Response>> = {
    listIncidents: () => app.get('/v1/incidents?limit=1'),
    queryIncidents: () => app.post('/v1/incidents/query', { limit: 1, route: { line: ROAD, buffer_km: 100 } }, text),
    queryStatistics: () => app.post('/v1/stats/query', { group_by: ['lga', 'month'] }, text),
    readIncident: () => app.get(`/v1/incidents/${anIncident(2).id}`),
    readTrends: () => app.get('/v1/trends?group_by=lga&period=week'),
    readStatistics: () => app.get('/v1/stats?group_by=lga,month'),
    readTile: () => app.get('/v1/tiles/0/0/0.mvt'),
    listChanges: () => app.get('/v1/changes?after=0&limit=1'),
    readStream: () => app.get('/v1/stream?state=kaduna'),
    listMonths: () => app.get('/v1/archive'),
    downloadMonth: () => app.get('/v1/archive/2026-01.ndjson'),
    readFeed: () => app.get('/v1/feeds/incidents.atom'),
    readAlert: () => app.get(`/v1/incidents/${anIncident(1).id}.cap`),
    listCorrections: () => app.get(`/v1/incidents/${anIncident(2).id}/history`),
    askAssistantServer: () => app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, text),
    readTaxonomy: () => app.get('/v1/taxonomy'),
    readStatus: () => app.get('/v1/status', null),
    listStates: () => app.get('/v1/places/states'),
    listLgas: () => app.get('/v1/places/lgas?state=kaduna'),
    locatePoint: () => app.get('/v1/places/locate?lat=10.52&lng=7.44'),
    searchPlaces: () => app.get('/v1/places/search?q=Zaria'),
    stateBoundaries: () => app.get('/v1/places/states.geojson'),
    roadLines: () => app.get('/v1/places/roads.geojson'),
    lgaBoundaries: () => app.get('/v1/places/lgas.geojson'),
    createArea: () => app.post('/v1/areas', anArea(), text),
    listAreas: () => app.get('/v1/areas', text),
    readArea: async () => app.get(`/v1/areas/${await savedArea()}`, text),
    changeArea: async () => app.patch(`/v1/areas/${await savedArea()}`, { name: anArea().name }, text, null),
    createSites: () => app.post('/v1/sites', someSites(), text),
    listSites: () => app.get('/v1/sites', text),
    readSites: async () => app.get(`/v1/sites/${await savedSites()}`, text),
    replaceSites: async () =>
      fetch(`${app.url}/v1/sites/${await savedSites()}`, {
        method: 'PUT',
        body: JSON.stringify(someSites()),
        headers: { authorization: `Bearer ${text}`, 'content-type': 'application/json' },
      }),
    deleteSites: async () => app.delete(`/v1/sites/${await savedSites()}`, text),
    deleteArea: async () => app.delete(`/v1/areas/${await savedArea()}`, text),
    createWatch: () => app.post('/v1/watches', aWatch(), text),
    listWatches: () => app.get('/v1/watches', text),
    readWatch: async () => app.get(`/v1/watches/${await watched()}`, text),
    changeWatch: async () => app.patch(`/v1/watches/${await watched()}`, { status: 'paused' }, text, null),
    deleteWatch: async () => app.delete(`/v1/watches/${await watched()}`, text),
    previewWatch: () => app.post('/v1/watches/preview', { filter: { state: 'Kaduna' } }, text),
    testWatch: async () => app.post(`/v1/watches/${await watched()}/test`, '', text),
    rotateSecret: async () => app.post(`/v1/watches/${await watched()}/rotate-secret`, '', text),
    retryWatch: async () => app.post(`/v1/watches/${await watched()}/retry`, '', text),
    recoverWatch: async () => app.post(`/v1/watches/${await watched()}/recover`, { since: '1h' }, text),
    explainWatch: async () =>
      app.get(`/v1/watches/${(await delivered()).watch_id}/explain?incident=${anIncident(1).id}`, text),
    listDeliveries: async () => app.get(`/v1/watches/${(await delivered()).watch_id}/deliveries`, text),
    listAllDeliveries: async () => app.get(`/v1/deliveries?watch=${(await delivered()).watch_id}`, text),
    listen: () => app.get('/v1/listen?state=kaduna', text),
    readPushKey: () => app.get('/v1/push', null),
    recordSeenBrowser: () => app.post('/v1/push/seen', { endpoint: 'https://push.example.org/x' }, null),
    replaceBrowser: () => {
      const subscription = aBrowser('https://push.example.org/y').json
      return app.post('/v1/push/replace', { endpoint: 'https://push.example.org/x', subscription }, null)
    },
    listBrowserAlerts: () => app.post('/v1/push/alerts', { endpoint: 'https://push.example.org/x' }, null),
    readDelivery: async () => app.get(`/v1/deliveries/${(await delivered()).id}`, text),
    redeliverAll: async () => app.post('/v1/deliveries/redeliver', { watch: [(await delivered()).watch_id] }, text),
    redeliver: async () => app.post(`/v1/deliveries/${(await delivered()).id}/redeliver`, '', text),
    createReports: () => app.post('/v1/reports', aReport(), operator),
    listReports: async () => {
      await reported()
      return app.get('/v1/reports', operator)
    },
    readReport: async () => app.get(`/v1/reports/${await reported()}`, operator),
    listDesk: () => app.get('/v1/desk/incidents', operator),
    readDesk: async () => app.get(`/v1/desk/incidents/${await reported()}`, operator),
    changeDesk: async () => app.patch(`/v1/desk/incidents/${await reported()}`, { severity: 'low' }, operator, '"1"'),
    confirmIncident: async () => app.post(`/v1/desk/incidents/${await reported()}/confirm`, '', operator),
    rejectIncident: async () =>
      app.post(`/v1/desk/incidents/${await reported()}/reject`, { note: 'A rumour' }, operator),
    retractIncident: () => app.post(`/v1/desk/incidents/${anIncident(1).id}/retract`, '', operator),
    mergeIncident: async () =>
      app.post(`/v1/desk/incidents/${await reported()}/merge`, { into: anIncident(2).id }, operator),
    reopenIncident: async () => app.post(`/v1/desk/incidents/${await decided('reject')}/reopen`, '', operator),
    restoreIncident: async () => {
      const id = await decided('confirm')
      await app.post(`/v1/desk/incidents/${id}/retract`, '', operator)
      return app.post(`/v1/desk/incidents/${id}/restore`, '', operator)
    },
    unmergeIncident: async () => {
      const id = await decided('merge', { into: await reported() })
      return app.post(`/v1/desk/incidents/${id}/unmerge`, '', operator)
    },
    undoStep: async () => {
      const id = await decided('reject')
      const { desk } = (await (await app.get(`/v1/desk/incidents/${id}`, operator)).json()) as {
        desk: { undo: { step: string } }
      }
      return app.post(`/v1/desk/incidents/${id}/undo`, { step: desk.undo.step }, operator)
    },
    claimIncident: async () => app.post(`/v1/desk/incidents/${await reported()}/claim`, '', operator),
    releaseIncident: async () => app.post(`/v1/desk/incidents/${await decided('claim')}/release`, '', operator),
    addNote: async () => app.post(`/v1/desk/incidents/${await reported()}/notes`, { note: 'Seen' }, operator),
    moveInBulk: async () => app.post('/v1/desk/bulk', { ids: [await reported(), 'inc_x'], move: 'confirm' }, operator),
    listDuplicates: async () => {
      const path = await alikePath()
      await app.post(`${path}/dismiss`, '', operator)
      return app.get('/v1/desk/duplicates?list=dismissed', operator)
    },
    dismissDuplicate: async () => app.post(`${await alikePath()}/dismiss`, { note: 'Two attacks.' }, operator),
    offerDuplicate: async () => {
      const path = await alikePath()
      await app.post(`${path}/dismiss`, '', operator)
      return app.post(`${path}/offer`, '', operator)
    },
    extractIncidents: () =>
      app.post('/v1/desk/extract', { text: 'Gunmen killed two in Bassa. Elsewhere, bandits raided Gusau.' }, operator),
    countDesk: () => app.get('/v1/desk/counts', operator),
    readDeskStream: () => app.get('/v1/desk/stream', operator),
    listAudit: async () => {
      await decided('reject', { note: 'A rumour' })
      return app.get('/v1/admin/audit', operator)
    },
    readHistory: async () => app.get(`/v1/desk/incidents/${await reported()}/history`, operator),
    redactIncident: async () =>
      app.post(`/v1/desk/incidents/${await reported()}/redact`, { words: ['Gusau'], reason: 'Asked for' }, operator),
    listRedactions: async () => {
      const id = await reported()
      await app.post(`/v1/desk/incidents/${id}/redact`, { all: true, reason: 'Asked for' }, operator)
      return app.get(`/v1/desk/incidents/${id}/redactions`, operator)
    },
    listSources: async () => {
      await sourced()
      return app.get('/v1/admin/sources', operator)
    },
    createSource: () => app.post('/v1/admin/sources', aNewsSource(), operator),
    readSource: async () => app.get(`/v1/admin/sources/${await sourced()}`, operator),
    changeSource: async () => app.patch(`/v1/admin/sources/${await sourced()}`, { every_minutes: 5 }, operator, null),
    removeSource: async () => app.delete(`/v1/admin/sources/${await sourced()}`, operator),
    listSourceItems: async () => {
      const source = await sourced()
      await proposeSource(app.store, await reported(), source)
      return app.get(`/v1/admin/sources/${source}/items`, operator)
    },
    listProposedSources: async () => {
      await proposeSource(app.store, await reported())
      return app.get('/v1/desk/proposed-sources', operator)
    },
    listProposedSourcesOf: async () => {
      const id = await reported()
      await proposeSource(app.store, id)
      return app.get(`/v1/desk/incidents/${id}/proposed-sources`, operator)
    },
    acceptProposedSource: async () => {
      const id = await reported()
      const path = `/v1/desk/incidents/${id}/proposed-sources/${await proposeSource(app.store, id)}`
      return app.post(`${path}/accept`, '', operator)
    },
    dismissProposedSource: async () => {
      const id = await reported()
      const path = `/v1/desk/incidents/${id}/proposed-sources/${await proposeSource(app.store, id)}`
      return app.post(`${path}/dismiss`, { queue: true }, operator)
    },
    listUnplacedStories: async () => {
      await addUnplacedStory(app.store)
      return app.get('/v1/desk/unplaced-stories', operator)
    },
    closeUnplacedStory: async () => {
      const body = { incident_ids: [await reported()] }
      return app.post(`/v1/desk/unplaced-stories/${await addUnplacedStory(app.store)}/close`, body, operator)
    },
    listPublishers: () => app.get('/v1/desk/publishers', operator),
    setPublisher: () => app.post('/v1/desk/publishers', { name: 'Zamfara Herald', class: 'local' }, operator),
    removePublisher: () => app.delete('/v1/desk/publishers/Zamfara%20Herald', operator),
    listPlaces: () => app.get('/v1/admin/places', operator),
    addPlace: () => app.post('/v1/admin/places', { name: 'Gonin Gora', lat: 10.41, lng: 7.41 }, operator),
    removePlace: async () => {
      const added = await app.post('/v1/admin/places', { name: 'Gonin Gora', lat: 10.41, lng: 7.41 }, operator)
      return app.delete(`/v1/admin/places/${((await added.json()) as { id: string }).id}`, operator)
    },
    createKey: () => app.post('/v1/keys', { email: 'a@example.org' }, null),
    listKeys: () => app.get('/v1/keys', text),
    rotateKey: () => app.post(`/v1/keys/${key.id}/rotate`, '', text),
    changeKey: () => app.patch(`/v1/keys/${key.id}`, { name: 'production' }, text, null),
    revokeKey: () => app.delete(`/v1/keys/${key.id}?confirm=last`, text),
    createSession: () => postSession(app.url, { key: text }),
    listSessions: async () => (await signIn(app, 'editor')).send('GET', '/v1/sessions'),
    endSession: async () => (await signIn(app, 'editor')).send('DELETE', '/v1/sessions/current'),
    endAllSessions: async () => (await signIn(app, 'editor')).send('DELETE', '/v1/sessions'),
    passkeyOptions: () => app.post('/v1/passkeys/options', { for: 'sign_in' }, null),
    createPasskey: async () => (await withPasskey(app)).added,
    listPasskeys: async () => (await withPasskey(app)).person.send('GET', '/v1/passkeys'),
    deletePasskey: async () => {
      const { person, added } = await withPasskey(app)
      return person.send('DELETE', `/v1/passkeys/${((await added.json()) as { id: string }).id}`)
    },
    inviteAccount: async () => {
      // Without a mail server: the invitation would have to be accepted by one.
      await using plain = await startTestApp()
      const { send } = await signIn(plain, 'admin')
      const invited = await send('POST', '/v1/admin/accounts', { email: 'e@example.org', name: 'Efe', role: 'editor' })
      return new Response(await invited.text(), { status: invited.status, headers: invited.headers })
    },
    createSignInLink: () => app.post(`/v1/admin/accounts/${key.accountId}/sign-in-link`, '', operator),
    requestAlert: () => app.post('/v1/alerts', { email: 'nobody@example.org', filter: { state: ['Kaduna'] } }, null),
    readTipChallenge: () => app.get('/v1/tips/challenge', null),
    createTip: async () => postTip(app.url, { ...aTip(), proof: await aProof(app.url) }),
    addToTip: async () => {
      const tip = await postTip(app.url, { ...aTip(), proof: await aProof(app.url) })
      const { reference } = (await tip.json()) as { reference: string }
      const addition = { reference, text: 'All of them are free.', proof: await aProof(app.url) }
      return postTip(app.url, addition, { path: '/v1/tips/additions' })
    },
    listTips: async () => {
      await postTip(app.url, { ...aTip({ contact: 'Amina' }), proof: await aProof(app.url) })
      const { data } = (await (await app.get('/v1/desk/incidents?origin=tip', operator)).json()) as {
        data: { id: string }[]
      }
      return app.get(`/v1/desk/incidents/${data[0]!.id}/tips`, operator)
    },
    mailRecoveryLink: () => app.post('/v1/sessions/link', { email: 'nobody@example.org' }, null),
    listAccounts: () => app.get('/v1/admin/accounts?limit=2', operator),
    readAccount: () => app.get(`/v1/admin/accounts/${key.accountId}`, operator),
    changeAccount: () =>
      app.patch(`/v1/admin/accounts/${key.accountId}`, { limits: { keys: 3, watches: null } }, operator, null),
    createAccountKey: () => app.post(`/v1/admin/accounts/${key.accountId}/keys`, { scopes: ['read'] }, operator),
    listAllKeys: () => app.get('/v1/admin/keys?limit=2', operator),
    readAnyKey: () => app.get(`/v1/admin/keys/${key.id}`, operator),
    revokeAnyKey: () => app.delete(`/v1/admin/keys/${key.id}`, operator),
    readMe: () => app.get('/v1/me', text),
    changeMe: () => app.patch('/v1/me', { name: 'Ada Obi' }, text, null),
    deleteMe: async () => app.delete('/v1/me', (await app.issue()).text, { confirm: 'test@example.org' }),
  }
  return calls[id]!()
}

for (const declared of ENDPOINTS) {
  test(`${declared.method} ${declared.path} answers as the contract says`, async () => {
    const response = await succeed(declared)
    assert.equal(response.status, declared.response.status)
    const { schema, contentType = 'application/json' }: EndpointResponse = declared.response
    if (schema === null) {
      assert.equal(await response.text(), '')
      return
    }
    assert.equal(response.headers.get('content-type')!.split(';')[0], contentType)
    if (contentType === 'application/vnd.mapbox-vector-tile') return
    if (contentType === 'text/event-stream') return response.body!.cancel()
    const body: unknown =
      contentType.endsWith('json') && !contentType.endsWith('ndjson') ? await response.json() : await response.text()
    assert.deepEqual(complaints(schema, body), [])
  })
}

test('a refusal is a problem as the contract declares it', async () => {
  const body = (await (await app.get('/v1/incidents?state=Kadunna')).json()) as unknown
  assert.deepEqual(complaints(Type.Ref('Problem'), body), [])
})

test('the contract check finds a response that differs from the contract', async () => {
  const incident = { ...anIncident(1), severity: 'awful' }
  assert.notDeepEqual(complaints(Type.Ref('Incident'), incident), [])
})

for (const { path, method, query = {}, pathParameters } of ENDPOINTS) {
  if (method !== 'GET' || pathParameters !== undefined) continue
  const isNeeded = Object.values<{ required?: true }>(query).some(({ required }) => required)
  test(`GET ${path} ${isNeeded ? 'needs' : 'does not need'} parameters, as the document says`, async () => {
    const { text: operator } = await app.issue({ scopes: ['read', 'watch', 'operate'] })
    const response = await app.get(path, operator)
    await response.body!.cancel()
    assert.equal(response.status, isNeeded ? 400 : 200)
  })
}

test('the OpenAPI document passes an independent linter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'))
  try {
    const file = join(folder, 'openapi.json')
    await writeFile(file, await (await fetch(`${app.url}/openapi.json`)).text())
    const linter = join(import.meta.dirname, '../../node_modules/.bin/redocly')
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [linter, 'lint', '--max-problems=50', file],
      {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    )
    assert.match(stdout + stderr, /Your API description is valid/)
    assert.doesNotMatch(stdout + stderr, /warning/i)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('every route of the API is in the document, and the document names no other', async () => {
  const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as { paths: Record<string, object> }
  const declared = ENDPOINTS.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases].map((one) => `${method} ${one}`),
  )
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(documented.toSorted(), declared.toSorted())
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods)) {
      assert.ok(
        app.app.server.hasRoute({ method: method.toUpperCase() as 'GET', url: path.replaceAll(/\{(\w+)\}/g, ':$1') }),
        `${method} ${path}`,
      )
    }
  }
})
