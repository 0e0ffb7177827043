import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type IssuedKey, openAccount } from '../../../src/accounts/keys.ts'
import { explainWatch } from '../../../src/api/watches/contract.ts'
import { places } from '../../../src/geo/places.ts'
import { startTestApp, type TestApp, until } from '../../support/app.ts'
import { squaresAround } from '../../support/boundaries.ts'
import { addUnplacedStory, aProof, aTip, EASY_PROOF, postTip, proposeSource } from '../../support/desk.ts'
import { anIncident, aReport } from '../../support/incident.ts'
import { type MailServer, startMailServer } from '../../support/mail.ts'
import { startEndpoint, type TestEndpoint } from '../../support/receivers.ts'
import { cookieOf, postSession, SoftwarePasskey, sendByCookie } from '../../support/sign-in.ts'

/** A service with enough in it for every sample to succeed. */
export interface SampleService extends AsyncDisposable {
  readonly app: TestApp
  readonly endpoint: TestEndpoint
  /** Makes what a sample needs to find, and returns its variables by name. */
  variablesFor(endpointId: string, names: readonly string[]): Promise<Record<string, string>>
}

export async function startSampleService(settings: Record<string, string> = {}): Promise<SampleService> {
  const mail: MailServer = await startMailServer()
  const endpoint = await startEndpoint()
  const folder = await mkdtemp(join(tmpdir(), 'sample-service-'))
  const app = await startTestApp(
    {
      ...(await geographyFiles(folder)),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SMTP_URL: mail.url,
      SIGNUPS_PER_HOUR: '1000',
      ...EASY_PROOF,
      ...settings,
    },
    { lookup: toLoopback },
  )
  const may = { published_at: '2026-05-02T06:00:00Z' }
  await app.publish([anIncident(1, may), anIncident(2, recently()), anIncident(3, recently())])
  return {
    app,
    endpoint,
    variablesFor: (id, names) => variablesFor({ app, endpoint }, id, names),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await endpoint[Symbol.asyncDispose]()
      await mail[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

/** What only an operator installs. */
async function geographyFiles(folder: string): Promise<Record<string, string>> {
  const [boundaries, roads] = [join(folder, 'boundaries.geojson'), join(folder, 'roads.geojson')]
  await writeFile(boundaries, JSON.stringify(squaresAround(places.lgas.slice(0, 3))))
  const geometry = {
    type: 'LineString',
    coordinates: [
      [7.49, 9.06],
      [7.44, 10.52],
    ],
  }
  const road = { type: 'Feature', properties: {}, geometry }
  await writeFile(roads, JSON.stringify({ type: 'FeatureCollection', features: [road] }))
  return { LGA_BOUNDARIES: boundaries, MAP_ROADS: roads }
}

/** Times of an incident that was published an hour ago. */
export function recently(): { occurred_at: string; published_at: string; updated_at: string } {
  const time = `${new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)}Z`
  return { occurred_at: time, published_at: time, updated_at: time }
}

/** The hosts of the samples exist wherever the tests run. */
const toLoopback: LookupFunction = (_host, options, callback) => {
  const found = { address: '127.0.0.1', family: 4 }
  if (options.all) callback(null, [found])
  else callback(null, found.address, found.family)
}

type Parts = Pick<SampleService, 'app' | 'endpoint'>
const PUBLIC = new Set(['readIncident', 'listCorrections', 'readAlert'])

async function variablesFor(
  { app, endpoint }: Parts,
  id: string,
  names: readonly string[],
): Promise<Record<string, string>> {
  // An account is deleted only by its address, and only without a role.
  const own: IssuedKey =
    id === 'deleteMe'
      ? await openAccount(app.store, { email: 'you@example.org', name: null }, {}, Date.now())
      : await app.issue({ scopes: ['read', 'watch', 'operate'] })
  const send = async (path: string, body: unknown = '') => {
    const response = await app.post(path, body, own.text)
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as { id: string }
  }
  const summary = 'Gunmen abducted Amina Bello and ten others on the road out of Gusau.'
  const reported = async () => (await send('/v1/reports', aReport({ summary }))).id
  const decided = async (move: string, body: unknown = '') => {
    const incident = await reported()
    await send(`/v1/desk/incidents/${incident}/${move}`, body)
    return incident
  }
  /** An incident in the state that the endpoint needs. */
  const incidents: Readonly<Record<string, () => Promise<string>>> = {
    retractIncident: () => decided('confirm'),
    reopenIncident: () => decided('reject'),
    undoStep: () => decided('reject'),
    releaseIncident: () => decided('claim'),
    unmergeIncident: async () => decided('merge', { into: await reported() }),
    restoreIncident: async () => {
      const incident = await decided('confirm')
      await send(`/v1/desk/incidents/${incident}/retract`)
      return incident
    },
    listTips: async () => {
      await postTip(app.url, { ...aTip({ contact: 'Amina' }), proof: await aProof(app.url) })
      const response = await app.get('/v1/desk/incidents?origin=tip', own.text)
      return ((await response.json()) as { data: { id: string }[] }).data[0]!.id
    },
  }
  const watched = async () => (await send('/v1/watches', { name: randomUUID(), url: endpoint.url, filter: {} })).id
  const known: Record<string, string> = {
    KEY: own.text,
    VERSION: '1',
    LAST_EVENT_ID: '0',
    IDEMPOTENCY_KEY: randomUUID(),
  }
  const make: Readonly<Record<string, () => Promise<string>>> = {
    INCIDENT_ID: () => (PUBLIC.has(id) ? Promise.resolve(anIncident(1).id) : (incidents[id] ?? reported)()),
    OTHER_INCIDENT_ID: reported,
    OTHER_ID: async () => {
      const other = await reported()
      if (id === 'offerDuplicate') await send(`/v1/desk/incidents/${known.INCIDENT_ID}/duplicates/${other}/dismiss`)
      return other
    },
    REPORT_ID: reported,
    PROPOSAL_ID: () => proposeSource(app.store, known.INCIDENT_ID!),
    UNPLACED_STORY_ID: () => addUnplacedStory(app.store),
    AREA_ID: async () =>
      (await send('/v1/areas', { name: randomUUID(), circle: { lat: 10.5, lng: 7.4, radius_km: 25 } })).id,
    SITE_ID: async () =>
      (
        await send('/v1/sites', {
          name: randomUUID(),
          sites: [{ name: 'Depot', latitude: 10.5, longitude: 7.4, radius_km: 25 }],
        })
      ).id,
    WATCH_ID: watched,
    DELIVERY_ID: async () => {
      const watch = await watched()
      await decided('confirm')
      await until(() => endpoint.messages.some(({ json }) => json.watch_id === watch), 'the delivery')
      return endpoint.messages.find(({ json }) => json.watch_id === watch)!.json.id
    },
    KEY_ID: async () => (await send('/v1/keys', { name: 'another' })).id,
    PUBLISHABLE_KEY: async () => ((await send('/v1/keys', { kind: 'publishable' })) as unknown as { key: string }).key,
    ACCOUNT_ID: async () => (await app.issue()).key.accountId,
    SOURCE_ID: async () =>
      (await send('/v1/admin/sources', { url: `${endpoint.url}/${randomUUID()}`, publisher: 'Herald', paused: true }))
        .id,
    PLACE_ID: async () => (await send('/v1/admin/places', { name: 'Gonin Gora', lat: 10.41, lng: 7.41 })).id,
    PASSKEY_ID: () => addPasskey(app.url, own.text),
    STEP_ID: async () => {
      const response = await app.get(`/v1/desk/incidents/${known.INCIDENT_ID}`, own.text)
      return ((await response.json()) as { desk: { undo: { step: string } } }).desk.undo.step
    },
  }
  if (id === 'explainWatch') {
    const named = explainWatch.query.incident.example
    await app.publish([anIncident(4, { ...recently(), id: named })])
  }
  if (id === 'removePublisher') await send('/v1/desk/publishers', { name: 'Zamfara Herald', class: 'local' })
  // Others depend on the incident.
  for (const name of names.toSorted((one) => (one === 'INCIDENT_ID' ? -1 : 0))) {
    if (known[name] !== undefined) continue
    if (make[name] === undefined)
      throw new Error(`test/docs/samples has nothing for $${name}: add it to sample-fixtures.ts`)
    known[name] = await make[name]()
  }
  return known
}

async function addPasskey(url: string, key: string): Promise<string> {
  const cookie = cookieOf(await postSession(url, { key }))!
  const options = await sendByCookie(url, cookie, 'POST', '/v1/passkeys/options', { for: 'registration' })
  const { challenge } = (await options.json()) as { challenge: string }
  const credential = new SoftwarePasskey(url).register(challenge)
  const added = await sendByCookie(url, cookie, 'POST', '/v1/passkeys', { credential })
  return ((await added.json()) as { id: string }).id
}
