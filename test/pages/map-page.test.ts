import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pino from 'pino'
import { builtMapAssets, readMapAssets } from '../../src/api/web-assets.ts'
import { start } from '../../src/app.ts'
import { SlicedQueries } from '../../src/archive/sliced-queries.ts'
import { readConfig } from '../../src/config/read-config.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { LANGUAGE_CODES, type Language } from '../../src/domain/languages.ts'
import { ENGLISH, loadLanguage, type MessageKey } from '../../src/i18n/translate.ts'
import { plainList } from '../../src/pages/map/newest.ts'
import { PageCache } from '../../src/pages/map/send-page.ts'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'
import { anAsker, anEvent, emptyArchive } from '../support/archive.ts'
import { TEST_SECRETS_KEY } from '../support/databases/stores.ts'
import { anIncident, incidentId } from '../support/incident.ts'

const IN_ENGLISH = { ...(await loadLanguage('en')), inAddress: false }

describe('map page', () => {
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
    const initialData = JSON.parse(
      /<script type="application\/json" id="initial-data">(.*?)<\/script>/s.exec(text)![1]!,
    )
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
    const assets = builtMapAssets()
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
})

describe('page cache', () => {
  const page = (text: string, validUntil = Number.POSITIVE_INFINITY) =>
    // biome-ignore lint/correctness/useYield: a page that needs one step
    function* () {
      return { status: 200, body: Buffer.from(text), stampAt: null, validUntil }
    }

  test('a page is rendered once for an address until an event, or for a minute', async () => {
    const archive = await emptyArchive()
    const cache = new PageCache(new SlicedQueries())
    const bodyAt = async (key: string, text: string, now: number, validUntil?: number) =>
      (await cache.getPage(archive, key, now, anAsker, page(text, validUntil))).body.body.toString()
    assert.equal(await bodyAt('/', 'one', 0), 'one')
    assert.equal(await bodyAt('/', 'two', 59_999), 'one')
    assert.equal(await bodyAt('/?span=7d', 'other', 0), 'other')
    assert.equal(await bodyAt('/', 'two', 60_000), 'two')
    assert.equal(await bodyAt('/?span=24h', 'window', 0, 10), 'window')
    assert.equal(await bodyAt('/?span=24h', 'moved', 10), 'moved')
    archive.apply([anEvent(1, anIncident(1))])
    assert.equal(await bodyAt('/', 'three', 60_001), 'three')
  })

  test('pages and their keys stay within the bound', async () => {
    const archive = await emptyArchive()
    const cache = new PageCache(new SlicedQueries(), 100_000)
    for (let number = 0; number < 300; number++)
      await cache.getPage(archive, `/?q=${number}${'x'.repeat(2000)}`, 0, anAsker, page('y'.repeat(3000)))
    assert.ok(cache.size > 50_000 && cache.size <= 100_000, `${cache.size} bytes`)
  })

  test('a cached page has the server’s clock of the moment it is sent', async () => {
    let now = Date.UTC(2026, 0, 2)
    await using app = await startTestApp({}, { clock: () => now })
    await app.publish([anIncident(1)])
    for (const encoding of ['identity', 'gzip', 'br']) {
      for (let request = 0; request < 2; request++) {
        now += 5000
        const text = await (await app.get('/?span=all', null, { 'accept-encoding': encoding })).text()
        const data = JSON.parse(/id="initial-data">(.*?)<\/script>/s.exec(text)![1]!)
        assert.equal(Date.parse(data.now), now)
        assert.equal(data.list.data.length, 1)
      }
    }
  })
})

describe('page language', () => {
  const DRAFTS = LANGUAGE_CODES.filter((code) => code !== 'en')

  let app: TestApp
  before(async () => {
    app = await startTestApp({ DEMO: 'true' }, { clock: () => Date.UTC(2026, 0, 2) })
    await app.publish(
      Array.from({ length: 12 }, (_, number) =>
        anIncident(number, {
          summary: `Summary ${number}`,
          severity: 'high',
          casualties: { killed: number, injured: null, abducted: null },
        }),
      ),
    )
    await app.publish([{ ...anIncident(0), status: 'retracted', version: 2 }], 'incident.retracted')
  })
  after(() => app[Symbol.asyncDispose]())

  async function read(path: string, acceptLanguage = '') {
    const headers = { accept: 'text/html', ...(acceptLanguage === '' ? {} : { 'accept-language': acceptLanguage }) }
    const response = await app.get(path, null, headers)
    const text = await response.text()
    // Without the data for the scripts, which is not shown.
    return { response, text, shown: text.replace(/<script type="application\/json".*?<\/script>/s, '') }
  }

  async function wordsOf(language: Language) {
    const { translate } = await loadLanguage(language)
    return (key: MessageKey, values?: Record<string, string | number>) =>
      translate(key, values).replaceAll("'", '&#39;').replaceAll('"', '&quot;')
  }

  /** English sentences and labels of the pages that the language words differently. */
  async function foreignTexts(language: Language): Promise<string[]> {
    const { translate } = await loadLanguage(language)
    return (['page', 'panel', 'common'] as const).flatMap((area) =>
      Object.entries(ENGLISH[area])
        .filter(([name, text]) => typeof text === 'string' && /^[A-Z][^{}]{3,}$/.test(text) && !name.startsWith('_'))
        .filter(([name, text]) => translate(`${area}.${name}` as MessageKey) !== text)
        .map(([, text]) => `>${text as string}<`),
    )
  }

  for (const language of LANGUAGE_CODES) {
    test(`the first page is in ${language}, by ?lang= and by Accept-Language`, async () => {
      const t = await wordsOf(language)
      for (const [path, accepted] of [
        [`/?span=all&lang=${language}`, ''],
        ['/?span=all', `xx, ${language}-NG;q=0.9, de;q=0.1`],
      ] as const) {
        const { response, shown } = await read(path, accepted)
        assert.match(shown, new RegExp(`<html lang="${language}"`))
        assert.equal(response.headers.get('content-language'), language)
        assert.match(response.headers.get('vary')!, /Accept-Language/)
        for (const sentence of [
          `<title>${t('page.title')}</title>`,
          `<meta name="description" content="${t('page.description')}">`,
          `<h1>${t('page.heading')}</h1>`,
          t('page.total', { count: 11 }),
          t('page.newest', { ago: t('common.hours_ago', { count: 23 }) }),
          `</span>${t('common.severity_critical')}</li>`,
          t('common.synthetic'),
          t('page.for_developers'),
          t('page.mark_cluster', { count: 11, severities: `11 ${t('common.severity_high').toLowerCase()}` }),
          ` · ${t('common.killed', { count: 11 })}<`,
        ])
          assert.ok(shown.includes(sentence), `${sentence} is missing`)
      }
    })
  }

  for (const language of DRAFTS) {
    test(`no sentence of the pages is left in English for readers of ${language}`, async () => {
      const foreign = await foreignTexts(language)
      assert.ok(foreign.length > 60)
      for (const path of [
        '/',
        '/?state=NG-LA',
        `/incidents/${incidentId(7)}`,
        `/incidents/${incidentId(0)}`,
        '/none',
      ]) {
        const { shown } = await read(path, language)
        const left = foreign.filter((text) => shown.includes(text))
        assert.deepEqual(left, [], path)
      }
    })
  }

  test('the address decides over the browser; a language that we lack leaves the choice to it', async () => {
    assert.match((await read('/?lang=ig', 'ha')).shown, /<html lang="ig"/)
    assert.match((await read('/?lang=fr', 'ha')).shown, /<html lang="ha"/)
    assert.match((await read('/', 'fr, de')).shown, /<html lang="en"/)
  })

  test('one address in turns by readers of two languages: a cached page is in the reader’s own', async () => {
    for (const language of ['ha', 'yo', 'ha', 'en', 'yo'] as const) {
      for (const path of ['/?span=1y', `/incidents/${incidentId(7)}`])
        assert.match((await read(path, language)).text, new RegExp(`<html lang="${language}"`))
      const { translate } = await loadLanguage(language)
      const svg = await (await app.get('/map.svg?span=1y', null, { 'accept-language': language })).text()
      assert.ok(svg.includes(`aria-label="${translate('page.svg_map').replaceAll("'", '&#39;')}"`), language)
    }
  })

  test('a draft says so, on every page; reviewed English does not', async () => {
    for (const path of ['/', `/incidents/${incidentId(7)}`, `/incidents/${incidentId(0)}`, '/none']) {
      for (const language of DRAFTS) {
        const t = await wordsOf(language)
        assert.ok((await read(path, language)).shown.includes(`<p class="draft">${t('common.draft')}</p>`), path)
      }
      assert.doesNotMatch((await read(path, 'en')).shown, /class="draft"/)
    }
  })

  test('an incident has its page in the reader’s language', async () => {
    const t = await wordsOf('yo')
    const { response, shown } = await read(`/incidents/${incidentId(7)}`, 'yo')
    assert.equal(response.headers.get('content-language'), 'yo')
    assert.equal(response.headers.get('vary'), 'Accept, Accept-Encoding, Accept-Language, Authorization')
    const type = t('common.type_kidnapping')
    assert.ok(
      shown.includes(`<title>${t('page.incident_title', { type, place: 'Chikun, Kaduna', day: '1 Jan 2026' })}<`),
    )
    for (const key of ['panel.when', 'panel.where', 'panel.casualties'] as const)
      assert.ok(shown.includes(`<dt>${t(key)}</dt>`))
    assert.ok(shown.includes(`<dd>${t('common.killed', { count: 7 })}</dd>`))
    assert.ok(shown.includes(`<h2>${t('panel.sources')}</h2>`))
  })

  test('links keep a language that the address names, and name none otherwise', async () => {
    const linksOf = (text: string) =>
      [
        ...text
          .split('<main')[1]!
          .split('class="languages"')[0]!
          .matchAll(/ href="(\/[^"]*)"/g),
      ].map(([, href]) => href!)
    const named = linksOf((await read('/?span=all&lang=ha')).shown)
    assert.ok(named.length > 12)
    for (const link of named) assert.match(link, /[?;]lang=ha(&|$)/)
    const others = linksOf((await read('/?span=all', 'ha')).shown)
    assert.equal(others.length, named.length)
    for (const link of others) assert.doesNotMatch(link, /lang=/)
  })

  test('a page links to itself in the other languages, with its filters; search engines learn of them', async () => {
    const { shown } = await read('/?state=NG-KD&lang=ha')
    for (const code of LANGUAGE_CODES) {
      assert.match(shown, new RegExp(`<a href="/\\?state=NG-KD&amp;lang=${code}" hreflang="${code}"`))
      assert.match(shown, new RegExp(`<link rel="alternate" hreflang="${code}" href="http[^"?]+/\\?lang=${code}">`))
    }
    assert.match(shown, /<link rel="canonical" href="http[^"?]+\/\?lang=ha">/)
    assert.match(shown, /<meta property="og:image" content="http[^"]+\/preview.png\?state=NG-KD&amp;lang=ha">/)
  })
})

describe('plain list', () => {
  const NOW = Date.UTC(2026, 5, 10, 12)

  test('a row says when the event happened, not when it was published', () => {
    const incident = {
      ...anIncident(1),
      occurred_at: '2026-06-07T00:00:00Z',
      time_precision: 'day' as const,
      published_at: '2026-06-10T11:00:00Z',
    }
    const { text } = plainList([incident], NOW, IN_ENGLISH)
    assert.match(text, /<time datetime="2026-06-07T00:00:00Z">3 days ago<\/time>/)
    assert.doesNotMatch(text, /1 h ago/)
  })

  test('a row names the killed, injured and abducted that are known, without zeros', () => {
    const rowOf = (casualties: Incident['casualties']) =>
      /row-meta.*/.exec(plainList([{ ...anIncident(1), casualties }], NOW, IN_ENGLISH).text)![0]
    assert.match(rowOf({ killed: 2, injured: 0, abducted: 14 }), / · 2 killed, 14 abducted<\/span>/)
    assert.doesNotMatch(rowOf({ killed: null, injured: 0, abducted: null }), /killed|injured|abducted/)
  })
})
