import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LANGUAGE_CODES, type Language } from '../../../src/domain/languages.ts'
import { ENGLISH, type MessageKey } from '../../../src/i18n/english.ts'
import { loadLanguage } from '../../../src/i18n/load.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { anIncident, incidentId } from '../../support/incident.ts'

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
    for (const path of ['/', '/?state=NG-LA', `/incidents/${incidentId(7)}`, `/incidents/${incidentId(0)}`, '/none']) {
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
  assert.ok(shown.includes(`<title>${t('page.incident_title', { type, place: 'Chikun, Kaduna', day: '1 Jan 2026' })}<`))
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
