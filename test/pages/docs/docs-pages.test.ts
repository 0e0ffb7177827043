import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { ENDPOINTS, SCHEMAS } from '../../../src/api/contract/reference.ts'
import { ERRORS } from '../../../src/domain/error-codes.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'

let app: TestApp
/** Every page of `/docs` by its path, found by following links from the first. */
const pages = new Map<string, string>()
before(async () => {
  app = await startTestApp({ RATE_LIMIT: '77', PUBLIC_URL: 'https://feed.example' })
  const waiting = ['/docs']
  for (const path of waiting) {
    if (pages.has(path)) continue
    const response = await fetch(app.url + path)
    assert.equal(response.status, 200, path)
    assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/)
    const page = await response.text()
    pages.set(path, page)
    for (const [, link] of page.matchAll(/href="(\/docs[^"#?]*)/g)) waiting.push(link!)
  }
})
after(() => app[Symbol.asyncDispose]())

const text = () => [...pages.values()].join('')

test('the reference has every endpoint, parameter, object and error', () => {
  const all = text()
  for (const { id, path, query = {} } of ENDPOINTS) {
    assert.ok(all.includes(`<section class="endpoint" id="${id}">`), id)
    for (const name of [path, ...Object.keys(query)]) assert.ok(all.includes(`<code>${name}</code>`), name)
  }
  for (const name of Object.keys(SCHEMAS)) assert.ok(all.includes(`id="thing-${name}"`), name)
  for (const code of Object.keys(ERRORS)) assert.ok(pages.get('/docs/errors')!.includes(`id="error-${code}"`), code)
})

test('the first page has an anchor for every endpoint and every error, because problem documents lead there', () => {
  const first = pages.get('/docs')!
  for (const { id } of ENDPOINTS) assert.ok(first.includes(`id="${id}"`), id)
  for (const code of Object.keys(ERRORS)) assert.ok(first.includes(`id="error-${code}"`), code)
})

test('every link leads to a page and an anchor that exist, and no id is there twice', () => {
  const wrong: string[] = []
  for (const [path, page] of pages) {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
    wrong.push(...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path} has ${id} twice`))
    for (const [, link] of page.matchAll(/href="([^"]+)"/g)) {
      const [target, anchor] = link!.replace(/\?code=\w+/, '').split('#') as [string, string | undefined]
      const other = target === '' ? page : pages.get(target)
      if (!/^(https?:|\/(?!docs))/.test(target) && other === undefined) wrong.push(`${path}: ${link}`)
      if (anchor && other !== undefined && !other.includes(` id="${anchor}"`)) wrong.push(`${path}: ${link}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('pages load nothing from outside, and show the public address', () => {
  for (const [path, page] of pages) {
    assert.doesNotMatch(page, /<(img|iframe)|src="(?!\/)|@import|url\(/, path)
    assert.doesNotMatch(page, /localhost:8080/, path)
  }
  assert.ok(pages.get('/docs/paging')!.includes('https://feed.example/v1/incidents'))
})

test('every guide is served', () => {
  const names = globSync('*.md', { cwd: new URL('../../../docs/guides', import.meta.url) })
  const guides = names.filter((name) => name !== 'README.md').map((name) => `/docs/${name.replace('.md', '')}`)
  assert.deepEqual(
    guides.filter((path) => !pages.has(path)),
    [],
  )
})

test('the limits are those in force', () => {
  assert.match(pages.get('/docs/limits')!, /<td>Requests per minute and account, over all its keys<\/td><td>77<\/td>/)
})

test('the changelog is served', () => {
  assert.match(pages.get('/docs/changelog')!, /<h2 id="0-1-0-2026-11-15">0\.1\.0/)
})

test('an address chooses the language of the samples without a script', async () => {
  const python = await (await fetch(`${app.url}/docs/start?code=python`)).text()
  assert.match(python, /<html lang="en" data-code="python">/)
  for (const strange of ['?code=cobol', '?code=python&code=go', '?code=%22%3E']) {
    assert.match(await (await fetch(`${app.url}/docs/start${strange}`)).text(), /<html lang="en" data-code="curl">/)
  }
})

test('the search knows guides, endpoints, objects and errors, each with an address that exists', async () => {
  const index = (await (await fetch(`${app.url}/docs/search.json`)).json()) as [string, string, string, string][]
  const addresses = new Set(index.map(([, , address]) => address))
  for (const wanted of ['/docs/paging', '/docs/reference/incidents#listIncidents', '/docs/errors#error-rate_limited'])
    assert.ok(addresses.has(wanted), wanted)
  for (const address of addresses) {
    const [path, anchor] = address.split('#') as [string, string | undefined]
    assert.ok(pages.get(path)?.includes(anchor === undefined ? '<h1' : ` id="${anchor}"`), address)
  }
})
