import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CACHING } from '../../src/api/caching.ts'
import { lgaPath, statePath } from '../../src/domain/places.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { signIn } from '../support/sign-in.ts'

const NOW = Date.UTC(2026, 0, 2)
const INCIDENT = anIncident(1)
const COUNTRY = 'incident-feed area:NG'
const ABOUT_IT = `incident-feed incident:${INCIDENT.id}`

/** By class: the addresses that answer everybody alike, and their surrogate keys. */
const PUBLIC: Partial<Record<keyof typeof CACHING, Readonly<Record<string, string | null>>>> = {
  live: {
    '/': COUNTRY,
    '/?state=NG-KD&lang=ha': COUNTRY,
    '/map.svg': COUNTRY,
    '/about': 'incident-feed',
    '/status': 'incident-feed',
    '/docs': 'incident-feed',
    '/docs/start': 'incident-feed',
    '/docs/search.json': 'incident-feed',
    '/service-worker.js': 'incident-feed',
    '/nigeria': COUNTRY,
    [statePath('Kaduna')]: 'incident-feed area:NG-KD',
    [lgaPath('Kaduna', 'Chikun')]: 'incident-feed area:NG-KD area:NG-KD-CHIKUN',
    [`/incidents/${INCIDENT.id}`]: `${ABOUT_IT} area:NG`,
  },
  answers: {
    [`/v1/incidents/${INCIDENT.id}`]: ABOUT_IT,
    [`/v1/incidents/${INCIDENT.id}.cap`]: ABOUT_IT,
    '/v1/incidents?state=Kaduna': COUNTRY,

    '/v1/stats?group_by=state': COUNTRY,
    '/v1/trends?group_by=state&period=month': COUNTRY,
    '/v1/tiles/5/16/15.mvt': COUNTRY,
    '/v1/tiles/16/34103/31000.mvt': COUNTRY,
    '/v1/archive': COUNTRY,
    '/v1/changes': COUNTRY,
  },
  feeds: {
    '/nigeria/feed.atom': COUNTRY,
    [`${lgaPath('Kaduna', 'Chikun')}/feed.atom`]: 'incident-feed area:NG-KD area:NG-KD-CHIKUN',
    '/v1/feeds/incidents.atom': COUNTRY,
  },
  versions: {
    '/v1/incidents?format=csv&min_seq=1': COUNTRY,
    '/v1/stats?group_by=state&min_seq=1': COUNTRY,
    '/v1/tiles/5/16/15.mvt?min_seq=1': COUNTRY,
  },
  months: { '/v1/archive/2026-01.csv': 'incident-feed month:2026-01' },
  images: { '/preview.png': COUNTRY, [`/incidents/${INCIDENT.id}/preview.png`]: ABOUT_IT },
  boundaries: { '/v1/places/states.geojson': null, '/report/ground.json': null },
  files: Object.fromEntries(
    [
      ...['/robots.txt', '/llms.txt', '/sitemap.xml', '/manifest.webmanifest', '/favicon.ico', '/apple-touch-icon.png'],
      ...['/icon.svg', '/icon-192.png', '/icon-512.png', '/icon-maskable-512.png'],
    ].map((path) => [path, null]),
  ),
  contract: { '/openapi.json': null, '/collections/postman.json': null },
  status: { '/v1/status': null },
  pushKey: { '/v1/push': null },
}
const ALL = Object.entries(PUBLIC).flatMap(([kind, paths]) =>
  Object.entries(paths).map(([path, keys]) => ({ kind: kind as keyof typeof CACHING, path, keys })),
)

const needsKey = (path: string) => path.startsWith('/v1/') && !['/v1/push', '/v1/status'].includes(path)

describe('headers for caches', () => {
  let app: TestApp
  let mapKey: string
  before(async () => {
    // Nothing depends on the time of a request.
    app = await startTestApp({ PUBLIC_URL: 'https://feed.example.org' }, { clock: () => NOW })
    await app.publish([INCIDENT])
    const page = await (await app.get('/', null)).text()
    mapKey = JSON.parse(/id="initial-data">(.*?)<\/script>/s.exec(page)![1]!).key
  })
  after(() => app[Symbol.asyncDispose]())

  /** As the map asks, or as a browser opens a page. */
  const headersFor = (path: string): Record<string, string> => ({
    'accept-encoding': 'identity',
    accept: path.startsWith('/v1/') ? '*/*' : 'text/html',
    ...(needsKey(path) ? { authorization: `Bearer ${mapKey}` } : {}),
  })
  const anonymously = (path: string, headers = {}) => app.get(path, null, { ...headersFor(path), ...headers })

  for (const { kind, path, keys } of ALL) {
    it(`${path} is ${kind} for everybody`, async () => {
      const response = await anonymously(path)
      assert.ok(response.status === 200 || response.status === 204, String(response.status))
      const { headers } = response
      assert.equal(headers.get('cache-control'), CACHING[kind].shared)
      assert.deepEqual(
        [headers.get('surrogate-key'), headers.get('cache-tag')],
        [keys, keys === null ? null : keys.replaceAll(' ', ',')],
      )
      assert.equal(headers.get('set-cookie'), null)
      const isSelected = needsKey(path) || /^\/incidents\/[^/]+$/.test(path)
      assert.equal(/\bAuthorization\b/.test(headers.get('vary') ?? ''), isSelected)
      const etag = headers.get('etag')
      if (response.status === 204 || kind === 'pushKey') return
      const again = await anonymously(path, { 'if-none-match': etag })
      assert.deepEqual([again.status, again.headers.get('cache-control')], [304, CACHING[kind].shared])
    })
  }

  it('no other address answers in public', async () => {
    const known = new Set(ALL.map(({ path }) => path.split('?', 1)[0]))
    const routes = readRoutes(app.app.server.printRoutes({ commonPrefix: false }))
    assert.ok(routes.length > 100, String(routes.length))
    for (const route of routes) {
      const path = route.replace('/:name', '/2026-01.csv').replace(':id', INCIDENT.id)
      if (known.has(path) || path.startsWith('/docs/')) continue
      for (const accept of ['text/html', '*/*']) {
        const response = await app.get(path, path.startsWith('/v1/') ? mapKey : null, { accept })
        await response.body?.cancel()
        assert.doesNotMatch(response.headers.get('cache-control') ?? '', /public|s-maxage/, path)
      }
    }
  })

  it('what a key or a session changes is never kept for others', async () => {
    const { cookie } = await signIn(app, 'editor')
    const { text: live } = await app.issue()
    const { text: publishable } = await app.issue({ kind: 'publishable' })
    const callers = [
      { authorization: `Bearer ${live}` },
      { authorization: `Bearer ${publishable}` },
      { cookie },
      { cookie, authorization: `Bearer ${mapKey}` },
    ]
    for (const { path } of ALL) {
      const everybodys = Buffer.from(await (await anonymously(path)).arrayBuffer())
      for (const given of callers) {
        const { authorization, ...rest } = headersFor(path)
        const sent = { ...rest, ...given, 'sec-fetch-site': 'same-origin' }
        const response = await app.get(path, null, sent as Record<string, string>)
        const body = Buffer.from(await response.arrayBuffer())
        const { headers } = response
        if (!/public|s-maxage/.test(headers.get('cache-control') ?? '')) continue
        // A cache keeps the answers to such requests apart.
        if (/\bAuthorization\b/.test(headers.get('vary') ?? '') && given.authorization !== authorization) continue
        assert.ok(body.equals(everybodys), `${path} ${JSON.stringify(given)}`)
        assert.equal(headers.get('set-cookie'), null, path)
      }
    }
    const list = await app.get('/v1/incidents', null, { cookie, 'sec-fetch-site': 'same-origin' })
    assert.deepEqual([list.status, list.headers.get('cache-control')], [200, 'private, no-cache'])
    assert.equal(list.headers.get('surrogate-key'), null)
  })

  it('an answer without the event that the caller knows of is not kept', async () => {
    for (const path of ['/v1/incidents?', '/v1/stats?group_by=state&', '/v1/tiles/5/16/15.mvt?']) {
      const { headers } = await app.get(`${path}min_seq=2`, mapKey)
      assert.equal(headers.get('cache-control'), 'private, no-cache', path)
      assert.match(headers.get('stale-seconds') ?? '', /^\d+$/, path)
      for (const wrong of ['min_seq=x', 'min_seq=-1', 'min_seq=1&min_seq=2', 'min_seq=']) {
        const refused = await app.get(`${path}${wrong}`, mapKey)
        assert.equal(refused.status, 400, wrong)
        assert.match(await refused.text(), /must be one whole number/)
      }
    }
    const elsewhere = await app.get('/v1/changes?min_seq=1', mapKey)
    assert.equal(elsewhere.status, 400)
  })

  it('an incident that is gone is said so by all caches within a minute', async () => {
    const retracted = anIncident(2)
    await app.publish([retracted])
    await app.publish([{ ...retracted, status: 'retracted', version: 2 }], 'incident.retracted')
    const page = await app.get(`/incidents/${retracted.id}`, null, { accept: 'text/html' })
    const { headers } = page
    assert.equal(page.status, 410)
    assert.equal(headers.get('surrogate-key'), `incident-feed incident:${retracted.id} area:NG`)
    const [, kept, shown] = /s-maxage=(\d+), stale-while-revalidate=(\d+)/.exec(headers.get('cache-control')!)!
    assert.ok(Number(kept) + Number(shown) <= 60)
  })
})

/** The paths that take GET, in Fastify's drawing of its routes. */
function readRoutes(drawn: string): string[] {
  const above: string[] = []
  return drawn.split('\n').flatMap((line) => {
    const parts = /^((?:│ {3}| {4})*)[├└]── (.*?) \((.*)\)$/.exec(line)
    if (parts === null) return []
    above.splice(parts[1]!.length / 4, above.length, parts[2]!)
    return parts[3]!.includes('GET') ? [above.join('')] : []
  })
}
