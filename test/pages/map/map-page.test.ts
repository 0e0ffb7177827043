import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { readMapAssets } from '../../../src/api/web-assets.ts'
import { start } from '../../../src/app.ts'
import { readConfig } from '../../../src/config/read-config.ts'
import { problemOf, startTestApp, type TestApp } from '../../support/app.ts'
import { TEST_SECRETS_KEY } from '../../support/databases/secrets-key.ts'
import { anIncident, incidentId } from '../../support/incident.ts'

const NOW = Date.UTC(2026, 0, 2)
const PEOPLE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let app: TestApp
before(async () => {
  app = await startTestApp(
    { MAP_STYLE_URL: 'https://tiles.example.org/style.json', DEMO: 'true' },
    { clock: () => NOW },
  )
  await app.publish(
    Array.from({ length: 60 }, (_, number) =>
      anIncident(number, { summary: `<script>alert(${number})</script> & "more" of ${number}` }),
    ),
  )
  await app.publish([{ ...anIncident(0), status: 'retracted', version: 2 }], 'incident.retracted')
})
after(() => app[Symbol.asyncDispose]())

const page = (path: string) => app.get(path, null, PEOPLE)

test('the page lists the newest 50, markup in a summary stays text, and a demo is marked as one', async () => {
  const text = await (await page('/')).text()
  assert.equal(text.match(/<li><a class="row"/g)?.length, 50)
  assert.ok(text.includes('&lt;script&gt;alert(59)&lt;/script&gt; &amp; &quot;more&quot;'))
  assert.doesNotMatch(text, /<script>alert/)
  assert.match(text, /Synthetic data/)
})

test('the initial data is the API’s own response, and its key can read', async () => {
  const text = await (await page('/?state=kaduna&span=all')).text()
  const initialData = JSON.parse(/<script type="application\/json" id="initial-data">(.*?)<\/script>/s.exec(text)![1]!)
  const answer = await app.get('/v1/incidents?state=kaduna', initialData.key)
  assert.deepEqual(initialData.list, await answer.json())
  assert.deepEqual([initialData.corrections, initialData.names], [[], { 'NG-KD': 'Kaduna' }])
  assert.equal(initialData.address, 'state=NG-KD&span=all')
  assert.equal(initialData.demo, true)
})

test('a filter in the address applies to the plain list too; an invalid one is ignored, and the page says so', async () => {
  assert.match(await (await page('/?state=NG-LA')).text(), /No incident has been published in this span/)
  const text = await (await page('/?state=Atlantis')).text()
  assert.equal(text.match(/<li><a class="row"/g)?.length, 50)
  assert.match(text, /“Atlantis” could not be read and was left out/)
  assert.match(text, /"address":""/)
})

const CORRECTED = {
  '/?state=Kadunna&span=all': ['“Kadunna” was read as Kaduna.', 'state=NG-KD&span=all'],
  '/?lga=Chikum&state=kaduna': ['“Chikum” was read as Chikun.', 'lga=NG-KD-CHIKUN&state=NG-KD'],
  '/?type=kidnaping': ['“kidnaping” was read as Kidnapping.', 'type=kidnapping'],
  '/?severity=hihg&state=NG-KD': ['“hihg” was read as high.', 'severity=high&state=NG-KD'],
  '/?span=forever': ['“forever” could not be read and was left out.', ''],
  '/?from=2026-01-01&severity=high': ['“2026-01-01” could not be read and was left out.', 'severity=high'],
  '/?box=1,2,3': ['“1,2,3” could not be read and was left out.', ''],
  '/?min_confidence=7': ['“7” could not be read and was left out.', ''],
} as const
for (const [address, [sentence, corrected]] of Object.entries(CORRECTED)) {
  test(`${address}: ${sentence}`, async () => {
    const text = await (await page(address)).text()
    assert.ok(text.includes(sentence))
    const data = JSON.parse(/id="initial-data">(.*?)<\/script>/s.exec(text)![1]!)
    assert.equal(decodeURIComponent(data.address), corrected)
  })
}

test('the page of an empty feed says so', async () => {
  await using empty = await startTestApp()
  assert.match(await (await fetch(empty.url)).text(), /Nothing has been published yet/)
})

test('while the service starts, the page says so and reloads by itself', async () => {
  const config = readConfig(
    { DATABASE_URL: 'postgres://127.0.0.1:1/none', PORT: '0', SECRETS_KEY: TEST_SECRETS_KEY },
    [],
  )
  await using starting = await start(config, { logger: pino({ level: 'silent' }) })
  const response = await fetch(starting.url)
  assert.equal(response.status, 503)
  assert.equal(response.headers.get('refresh'), '2')
  assert.match(await response.text(), /The service is starting/)
})

test('the policy allows the service’s files and the base map’s host; only the embedded map may be framed', async () => {
  const policyOf = async (path: string) => (await page(path)).headers.get('content-security-policy')!
  const policy = await policyOf('/')
  assert.match(policy, /default-src 'none'; script-src 'self' 'sha256-[^']+'; /)
  assert.match(policy, /connect-src 'self' https:\/\/tiles\.example\.org;/)
  assert.match(policy, /frame-ancestors 'none'$/)
  assert.match(await policyOf('/?embed=1'), /frame-ancestors \*$/)
})

test('an incident has a page for browsers, with the data for link previews', async () => {
  const response = await page(`/incidents/${incidentId(7)}`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('vary')!, /Accept/)
  const text = await response.text()
  assert.match(text, /<meta property="og:title" content="Kidnapping in Chikun, Kaduna, 1 Jan 2026">/)
  assert.match(text, /<meta property="og:description" content="&lt;script&gt;alert\(7\)/)
  assert.match(text, new RegExp(`<meta property="og:url" content="[^"]+/incidents/${incidentId(7)}">`))
  assert.match(text, /town or village, within 3 km/)
  assert.match(
    text,
    new RegExp(`<meta property="og:image" content="http[^"]+/incidents/${incidentId(7)}/preview.png">`),
  )
  assert.match(text, /<meta name="twitter:card" content="summary_large_image">/)
})

test('a shared view has its own address and image in the link preview', async () => {
  const text = await (await page('/?state=NG-KD&span=1y&embed=1')).text()
  assert.match(text, /<meta property="og:url" content="http[^"]+\/\?state=NG-KD&amp;span=1y">/)
  assert.match(text, /<meta property="og:image" content="http[^"]+\/preview.png\?state=NG-KD&amp;span=1y">/)
})

test('a retracted and an unknown incident each have a page', async () => {
  const gone = await page(`/incidents/${incidentId(0)}`)
  assert.equal(gone.status, 410)
  assert.match(await gone.text(), /<h1>This incident was retracted<\/h1>/)
  const unknown = await page('/incidents/%3Cb%3E')
  assert.equal(unknown.status, 404)
  assert.match(await unknown.text(), /<h1>There is no such incident<\/h1>/)
})

test('API clients get JSON: with a key, without Accept: text/html, and under /v1', async () => {
  const { text: key } = await app.issue()
  const path = `/incidents/${incidentId(7)}`
  assert.equal(((await (await app.get(path, key, PEOPLE)).json()) as { id: string }).id, incidentId(7))
  assert.equal((await problemOf(await app.get(path, null, { accept: '*/*' }))).code, 'missing_key')
  assert.equal((await problemOf(await app.get(`/v1${path}`, null, PEOPLE))).code, 'missing_key')
})

test('built files are immutable and compressed; an unknown file is 404', async (context) => {
  const assets = readMapAssets()
  if (assets === null) return context.skip('the map has not been built')
  const response = await app.get(assets.script, null, { 'accept-encoding': 'br' })
  assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(response.headers.get('content-encoding'), 'br')
  assert.equal((await response.text()).length > 10_000, true)
  for (const path of ['/assets/none.js', '/assets/..%2F..%2Fpackage.json', '/assets/%2e%2e/.vite/manifest.json'])
    assert.equal((await app.get(path, null)).status, 404)
})

test('a folder without a build has no assets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'no-build-'))
  assert.equal(readMapAssets(folder), null)
  await rm(folder, { recursive: true })
})
