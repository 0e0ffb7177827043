import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { ICONS } from '../../scripts/build-icons.ts'
import { TOOLS } from '../../src/api/assistants/tools.ts'
import { builtMapAssets } from '../../src/api/web-assets.ts'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'

const PEOPLE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let app: TestApp
before(async () => {
  app = await startTestApp({ PUBLIC_URL: 'https://feed.example.org' })
})
after(() => app[Symbol.asyncDispose]())

test('people get a page for an unknown address, clients of the API a problem', async () => {
  const page = await app.get('/no/such/page?x=1', null, PEOPLE)
  assert.equal(page.status, 404)
  assert.match(page.headers.get('content-type')!, /text\/html/)
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/)
  assert.match(await page.text(), /<h1>There is nothing here<\/h1>.*<a href="\/">/s)
  for (const [path, headers] of [
    ['/no/such/page', { accept: 'application/json' }],
    ['/no/such/page', {}],
    ['/v1/no/such', PEOPLE],
  ] as const)
    assert.equal((await problemOf(await app.get(path, null, headers))).code, 'not_found')
  assert.equal((await problemOf(await app.post('/no/such/page', {}, null, PEOPLE))).code, 'not_found')
})

test('unknown addresses count for the client’s address', async () => {
  await using limited = await startTestApp({ RATE_LIMIT_ADDRESS: '3' })
  for (const path of ['/a', '/robots.txt', '/icon.svg']) await limited.get(path, null, PEOPLE)
  assert.equal((await limited.get('/b', null, PEOPLE)).status, 429)
})

test('the manifest makes the map installable, and its icons exist in the sizes that it names', async () => {
  const response = await app.get('/manifest.webmanifest', null)
  assert.equal(response.headers.get('content-type'), 'application/manifest+json')
  const manifest = (await response.json()) as { icons: { src: string; sizes: string; type: string }[]; display: string }
  assert.equal(manifest.display, 'standalone')
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await app.get(src, null)
    assert.equal(icon.headers.get('content-type'), type)
    if (type !== 'image/png') continue
    const bytes = Buffer.from(await icon.arrayBuffer())
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes)
  }
  assert.equal((await app.get('/favicon.ico', null)).headers.get('content-type'), 'image/x-icon')
})

test('the icons are those that the script draws', () => {
  for (const [name, bytes] of Object.entries(ICONS)) {
    const stored = readFileSync(new URL(`../../src/pages/site/icons/${name}`, import.meta.url))
    assert.ok(stored.equals(bytes), `${name} differs: run node scripts/build-icons.ts`)
  }
})

test('robots.txt keeps search engines from the API and names the sitemap, whose pages exist', async () => {
  const robots = await (await app.get('/robots.txt', null)).text()
  assert.match(robots, /Disallow: \/v1\/\n/)
  assert.match(robots, /Sitemap: https:\/\/feed\.example\.org\/sitemap\.xml/)
  const sitemap = await (await app.get('/sitemap.xml', null)).text()
  const paths = [...sitemap.matchAll(/<loc>https:\/\/feed\.example\.org(.*?)<\/loc>/g)].map(([, path]) => path!)
  assert.ok(paths.includes('/') && paths.includes('/docs'))
})

test('the service worker lists the files of this build and a browser asks for it anew each time', async (context) => {
  const assets = builtMapAssets()
  if (assets === null) return context.skip('the map has not been built')
  const response = await app.get('/service-worker.js', null)
  assert.match(response.headers.get('cache-control')!, /^public, max-age=0, s-maxage=\d\d,/)
  const text = await response.text()
  assert.ok(text.startsWith(`self.NEEDED_FILES=["${assets.script}",`))
  assert.doesNotMatch(text, /\b(import|export)\b\s*[{"'`]/)
})

test('llms.txt names every tool, and each of its links leads somewhere', async () => {
  await using app = await startTestApp()
  const response = await app.get('/llms.txt', null)
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await response.text()
  assert(text.length < 3000)
  for (const { name } of TOOLS) assert(text.includes(name), name)
  const links = [...text.matchAll(/\]\((.*?)\)/g)].map(([, url]) => url!)
  assert(links.length >= 4)
  for (const link of links) {
    const { status } = await fetch(link, { headers: { accept: 'text/html' } })
    assert.equal(status, link.endsWith('/mcp') ? 405 : 200, link)
  }
})
