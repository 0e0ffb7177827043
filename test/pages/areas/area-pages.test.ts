import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Incident } from '../../../src/domain/incident.ts'
import { LANGUAGE_CODES } from '../../../src/domain/languages.ts'
import { places } from '../../../src/geo/places.ts'
import { loadLanguage } from '../../../src/i18n/load.ts'
import { allAreas, areaPath } from '../../../src/pages/areas/places/area.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'
import { parseXml } from '../../support/readers/xml.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const DAY = 86_400_000
let now = NOW
let app: TestApp

const daysAgo = (days: number) => new Date(NOW - days * DAY).toISOString()
const published = (days: number) => ({
  published_at: daysAgo(days),
  occurred_at: daysAgo(days),
  updated_at: daysAgo(days),
})
const LAGOS: Partial<Incident> = {
  state: 'Lagos',
  lga: 'Ikeja',
  lat: 6.6,
  lng: 3.35,
  location: { ...anIncident().location, place: 'Alausa', state_code: 'NG-LA', lga_code: 'NG-LA-IKEJA' },
}

before(async () => {
  app = await startTestApp({ PUBLIC_URL: 'https://feed.example.org' }, { clock: () => now })
})
after(() => app[Symbol.asyncDispose]())

async function pageOf(path: string): Promise<string> {
  const response = await app.get(path, null)
  assert.equal(response.status, 200, path)
  return await response.text()
}

const jsonLd = (page: string) => JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)![1]!)

describe('the pages of areas', () => {
  it('say so where nothing is known, and are never empty', async () => {
    const page = await pageOf('/nigeria/lagos/ikeja')
    assert.match(page, /No incident has been published about this area\. That does not mean that nothing happened\./)
    assert.match(page, /No such list is complete/)
    assert.doesNotMatch(page, /undefined|NaN|\{\w+\}|<figure/)
  })

  it('show what happened, how it is spread over time and types, and the areas around', async () => {
    await app.publish([
      anIncident(1, { ...published(2), summary: 'An attack </script><b>here</b>' }),
      anIncident(2, {
        ...published(40),
        type: 'armed_robbery',
        casualties: { killed: 3, injured: null, abducted: null },
      }),
      anIncident(3, { ...published(900), dataset: 'ucdp', attribution: 'UCDP GED, CC BY 4.0' }),
      anIncident(4, {
        ...published(5),
        lga: null,
        location: { ...anIncident().location, lga_code: null, precision: 'state' },
      }),
      anIncident(5, { ...published(1), ...LAGOS, summary: 'Robbers fled in Alausa.' }),
    ])
    const state = await pageOf('/nigeria/kaduna')
    for (const part of [
      '<h1>Security incidents in Kaduna</h1>',
      '<b>2</b>in the last 30 days',
      '<b>3</b>in the last 12 months',
      '<b>4</b>since 2024',
      'In these 30 days: 4 injured, 22 abducted.',
      'An attack &lt;/script&gt;&lt;b&gt;here&lt;/b&gt;',
      'Well supported',
      '<h2>By month</h2>',
      'Armed robbery',
      '<a href="/nigeria/kaduna/chikun"><span>Chikun</span><b>2</b></a>',
      '<a href="/nigeria/zamfara"><span>Zamfara</span><b>0</b></a>',
      'Of 1 more incident only the state is known.',
      'UCDP GED, CC BY 4.0',
      'href="/nigeria/kaduna/feed.atom"',
      '<link rel="canonical" href="https://feed.example.org/nigeria/kaduna">',
      'content="https://feed.example.org/preview.png?state=NG-KD&amp;span=1y"',
    ])
      assert.ok(state.includes(part), part)
    assert.doesNotMatch(state, /Alausa/)
    assert.doesNotMatch(state, /<script(?! type="application\/ld\+json")/)
    const lga = await pageOf('/nigeria/kaduna/chikun')
    for (const part of ['Security incidents in Chikun, Kaduna', '<b>1</b>in the last 30 days', '<h2>LGAs nearby</h2>'])
      assert.ok(lga.includes(part), part)
    assert.match(await pageOf('/nigeria'), /<a href="\/nigeria\/lagos"><span>Lagos<\/span><b>1<\/b>/)
  })

  it('describe themselves to search engines, whatever a summary contains', async () => {
    const data = jsonLd(await pageOf('/nigeria/kaduna/chikun'))
    assert.equal(data['@context'], 'https://schema.org')
    assert.equal(data.url, 'https://feed.example.org/nigeria/kaduna/chikun')
    assert.deepEqual(
      data.breadcrumb.itemListElement.map(({ name, item }: Record<string, string>) => [name, item]),
      [
        ['Nigeria', 'https://feed.example.org/nigeria'],
        ['Kaduna', 'https://feed.example.org/nigeria/kaduna'],
        ['Chikun', 'https://feed.example.org/nigeria/kaduna/chikun'],
      ],
    )
    assert.equal(data.about.containedInPlace.identifier, 'NG-KD')
    assert.equal(data.mainEntity.itemListElement[0].name, 'An attack </script><b>here</b>')
  })

  it('exist in every language, which their links keep', async () => {
    for (const code of LANGUAGE_CODES) {
      const page = await pageOf(`/nigeria/kaduna?lang=${code}`)
      const { translate } = await loadLanguage(code)
      assert.ok(page.includes(`<html lang="${code}">`), code)
      assert.ok(page.includes(translate('areas.lately').replaceAll("'", '&#39;')), code)
      assert.ok(page.includes(`href="/nigeria/kaduna/chikun?lang=${code}"`), code)
      assert.ok(page.includes(`<link rel="canonical" href="https://feed.example.org/nigeria/kaduna?lang=${code}">`))
      assert.doesNotMatch(page, /\{\w+\}/)
    }
    const hausa = await app.get('/nigeria/kaduna', null, { 'accept-language': 'ha' })
    assert.equal(hausa.headers.get('content-language'), 'ha')
    assert.match(hausa.headers.get('vary')!, /Accept-Language/)
  })

  it('redirect other spellings, and suggest for those that are unknown', async () => {
    for (const [given, path] of [
      ['/nigeria/', '/nigeria'],
      ['/Nigeria/Kaduna/', '/nigeria/kaduna'],
      ['/nigeria/kaduna/?x=1', '/nigeria/kaduna'],
      ['/nigeria/FCT?lang=ha', '/nigeria/federal-capital-territory?lang=ha'],
      ['/nigeria/kaduna/Birnin%20Gwari', '/nigeria/kaduna/birnin-gwari'],
      ['/nigeria/fct/feed.atom', '/nigeria/federal-capital-territory/feed.atom'],
    ] as const) {
      const response = await app.get(given, null)
      assert.equal(response.status, 301, given)
      assert.equal(response.headers.get('location'), path)
    }
    const unknown = await app.get('/nigeria/kaduna/chikum', null)
    assert.equal(unknown.status, 404)
    const text = await unknown.text()
    assert.match(text, /Kaduna has no local government area with this address/)
    assert.match(text, /Did you mean.*href="\/nigeria\/kaduna\/chikun"/s)
    assert.match(text, /noindex/)
    for (const path of ['/nigeria/%3Cscript%3E', '/nigeria/kaduna/x/y', '/nigeria/%00', '/nigeria/kaduna/%E0%A4%A'])
      assert.match(String((await app.get(path, null, { accept: 'text/html' })).status), /^4/, path)
  })

  it('are not sent again to those who have them, until an event touches them', async () => {
    const etagOf = async (path: string) => (await app.get(path, null)).headers.get('etag')!
    const paths = [
      '/nigeria',
      '/nigeria/lagos',
      '/nigeria/lagos/ikeja',
      '/nigeria/ogun',
      '/nigeria/kano',
      '/nigeria/kaduna/chikun',
    ]
    const before = await Promise.all(paths.map(etagOf))
    // The pages say when they were written: one that is written again has another tag.
    now += 60_000
    await app.publish([anIncident(6, { ...published(0), ...LAGOS })])
    const after = await Promise.all(paths.map(etagOf))
    const changed = paths.filter((_, index) => before[index] !== after[index])
    assert.deepEqual(changed, ['/nigeria', '/nigeria/lagos', '/nigeria/lagos/ikeja', '/nigeria/ogun'])
    const again = await app.get('/nigeria/kano', null, { 'if-none-match': after[4]! })
    assert.equal(again.status, 304)
    now = NOW + DAY
    assert.notEqual(await etagOf('/nigeria/kano'), after[4], 'the days of a page are those of today')
  })

  it('lose what is retracted, merged, moved or taken out at once, and so do their feeds', async () => {
    const both = async (path: string) => (await pageOf(path)) + (await pageOf(`${path}/feed.atom`))
    const change = (changes: Partial<Incident>, version: number) =>
      anIncident(7, { ...published(0), summary: 'Told as it was.', version, ...changes })
    const areas = ['/nigeria', '/nigeria/kaduna', '/nigeria/kaduna/chikun']
    const seenOn = async (paths: readonly string[], text: string) => {
      const texts = await Promise.all(paths.map(both))
      return paths.filter((_, index) => texts[index]!.includes(text))
    }
    await app.publish([change({}, 1)])
    assert.deepEqual(await seenOn(areas, 'Told as it was.'), areas)
    await app.publish([change({ summary: 'Taken out.' }, 2)], 'incident.updated')
    assert.deepEqual(await seenOn(areas, 'Told as it was.'), [])
    await app.publish([change({ ...LAGOS, summary: 'Moved.' }, 3)], 'incident.updated')
    assert.deepEqual(await seenOn([...areas, '/nigeria/lagos'], 'Moved.'), ['/nigeria', '/nigeria/lagos'])
    await app.publish([change({ summary: 'Merged.' }, 4)], 'incident.updated')
    assert.deepEqual(await seenOn(areas, 'Merged.'), areas)
    await app.publish(
      [change({ summary: 'Merged.', status: 'merged', merged_into: anIncident(1).id }, 5)],
      'incident.retracted',
    )
    assert.deepEqual(await seenOn(areas, 'Merged.'), [])
    await app.publish([anIncident(8, { ...published(0), summary: 'Not so.' })])
    assert.deepEqual(await seenOn(areas, 'Not so.'), areas)
    await app.publish(
      [anIncident(8, { ...published(0), summary: 'Not so.', version: 2, status: 'retracted' })],
      'incident.retracted',
    )
    assert.deepEqual(await seenOn(areas, 'Not so.'), [])
  })

  it('have feeds that readers understand', async () => {
    const response = await app.get('/nigeria/lagos/feed.atom', null)
    assert.match(response.headers.get('content-type')!, /application\/atom\+xml/)
    const text = await response.text()
    parseXml(text)
    assert.match(text, /<title>Security incidents in Lagos<\/title>/)
    assert.match(text, /rel="alternate" type="text\/html" href="https:\/\/feed\.example\.org\/nigeria\/lagos"/)
    assert.doesNotMatch(text, /Chikun/)
  })

  it('are in the sitemap, and incidents link to them', async () => {
    const sitemap = await (await app.get('/sitemap.xml', null)).text()
    parseXml(sitemap)
    for (const area of allAreas(places))
      assert.ok(sitemap.includes(`<loc>https://feed.example.org${areaPath(area)}</loc>`), areaPath(area))
    const incident = await app.get(`/incidents/${anIncident(1).id}`, null, { accept: 'text/html' })
    assert.match(await incident.text(), /<a href="\/nigeria\/kaduna\/chikun">More about Chikun, Kaduna<\/a>/)
  })
})
