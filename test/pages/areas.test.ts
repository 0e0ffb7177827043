import assert from 'node:assert/strict'
import { after, before, describe, it, test } from 'node:test'
import { SlicedQueries } from '../../src/archive/sliced-queries.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { LANGUAGE_CODES } from '../../src/domain/languages.ts'
import { areaSlug, incidentAreaPath } from '../../src/domain/places.ts'
import { statesGeoJson } from '../../src/geo/boundaries.ts'
import { places } from '../../src/geo/places.ts'
import { loadLanguage } from '../../src/i18n/translate.ts'
import { allAreas, areaCode, areaPath, areasShowing, findArea, findNeighbours } from '../../src/pages/areas/area.ts'
import { AreaCache, type AreaDocument } from '../../src/pages/areas/area-cache.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { anAsker, anEvent, emptyArchive } from '../support/archive.ts'
import { anIncident } from '../support/incident.ts'
import { parseXml } from '../support/readers.ts'

describe('area pages', () => {
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
      for (const part of [
        'Security incidents in Chikun, Kaduna',
        '<b>1</b>in the last 30 days',
        '<h2>LGAs nearby</h2>',
      ])
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
})

describe('area trends', () => {
  const NOW = Date.parse('2026-11-10T12:00:00Z')
  const DAY = 86_400_000
  let app: TestApp
  let numbered = 0

  function happened(at: number, more: Partial<Incident> = {}): Incident {
    const time = new Date(at).toISOString()
    return anIncident(++numbered, { occurred_at: time, published_at: time, updated_at: time, ...more })
  }

  const { location } = anIncident()
  const IKEJA: Partial<Incident> = {
    state: 'Lagos',
    lga: 'Ikeja',
    location: { ...location, state_code: 'NG-LA', lga_code: 'NG-LA-IKEJA' },
  }

  /** The text of the block, without tags. */
  async function trendOn(path: string): Promise<string> {
    const response = await app.get(path, null)
    assert.equal(response.status, 200)
    const [block] = /<section class="area-trend">.*?<\/section>/s.exec(await response.text()) ?? ['']
    return block
      .replaceAll(/<[^>]+>/g, '\n')
      .replaceAll(/\s+/g, ' ')
      .trim()
  }

  before(async () => {
    app = await startTestApp({}, { clock: () => NOW })
    // Six years with an incident every fourth day in Chikun, a bad October, and one incident in
    // Ikeja.
    const history: Incident[] = []
    for (let day = 6 * 365 + 30; day > 1; day--) if (day % 4 === 0) history.push(happened(NOW - day * DAY))
    for (let day = 5; day < 25; day++) history.push(happened(Date.UTC(2026, 9, day)))
    await app.publish([...history, happened(NOW - DAY, IKEJA)])
  })
  after(() => app[Symbol.asyncDispose]())

  describe('the page of an area', () => {
    it('says how the last month and this one compare with the usual', async () => {
      const sentences =
        /^Compared with the usual 2\d in October 2026; \d+ to \d+ would be usual\. Higher than usual 2 so far this month; \d+ to \d+ would be usual for a whole month\. Counted by the day on which it happened, and compared with the same season of the 5 years before\./
      for (const path of ['/nigeria/kaduna/chikun', '/nigeria/kaduna']) assert.match(await trendOn(path), sentences)
      assert.match(
        await trendOn('/nigeria'),
        /2\d in October 2026; \d+ to \d+ would be usual\. Higher than usual 3 so far/,
      )
    })

    it('says that history is too thin, and gives no verdict', async () => {
      assert.equal(
        await trendOn('/nigeria/lagos/ikeja'),
        'Compared with the usual 0 in October 2026. 1 so far this month. There is too little history here to say what would be usual. How this is compared',
      )
      // Nothing was ever published about it.
      assert.equal(await trendOn('/nigeria/ogun'), '')
    })

    it('counts an event at once', async () => {
      const october = /^Compared with the usual (\d+) in October/
      const before = Number(october.exec(await trendOn('/nigeria/kaduna/chikun'))![1])
      await app.publish([happened(Date.UTC(2026, 9, 28)), happened(NOW - 3_600_000, IKEJA)])
      assert.equal(Number(october.exec(await trendOn('/nigeria/kaduna/chikun'))![1]), before + 1)
      assert.match(await trendOn('/nigeria/lagos/ikeja'), /2 so far this month/)
    })

    it('says so in every language', async () => {
      for (const language of LANGUAGE_CODES) {
        const { translate } = await loadLanguage(language)
        const text = await trendOn(`/nigeria/kaduna?lang=${language}`)
        for (const key of ['areas.trend_title', 'areas.trend_higher', 'areas.trend_how'] as const)
          assert.ok(text.includes(translate(key)), `${language}: ${text}`)
        assert.doesNotMatch(text, /undefined|NaN|\{\w+\}/)
      }
    })
  })
})

describe('places', () => {
  const areas = allAreas(places)
  const neighbours = findNeighbours(places, statesGeoJson())

  /** Finds the area of a path, as the routes split it. */
  function findPath(path: string) {
    const [, , state = null, lga = null] = path.split('/')
    return findArea(places, state, lga)
  }

  describe('the addresses of areas', () => {
    it('are 812, all different, in plain letters, and each finds its area again', () => {
      assert.equal(areas.length, 1 + 37 + 774)
      assert.equal(new Set(areas.map(areaPath)).size, areas.length)
      for (const area of areas) {
        assert.match(areaPath(area), /^\/nigeria(\/[a-z]+(-[a-z0-9]+)*){0,2}$/)
        assert.deepEqual(findPath(areaPath(area)), { kind: 'found', area })
      }
    })

    it('are those that incidents link to', () => {
      assert.equal(areaSlug("Qua'an Pan"), 'quaan-pan')
      assert.equal(areaSlug('Ogba/Egbema/Ndoni'), 'ogba-egbema-ndoni')
      assert.equal(
        incidentAreaPath({ state: 'Akwa Ibom', lga: 'Urue-Offong/Oruko' }),
        '/nigeria/akwa-ibom/urue-offong-oruko',
      )
      assert.equal(incidentAreaPath({ state: 'Kaduna', lga: null }), '/nigeria/kaduna')
    })

    it('are also found by other spellings', () => {
      for (const [given, path] of [
        ['/nigeria/Kaduna', '/nigeria/kaduna'],
        ['/nigeria/NG-KD', '/nigeria/kaduna'],
        ['/nigeria/kaduna-state', '/nigeria/kaduna'],
        ['/nigeria/abuja', '/nigeria/federal-capital-territory'],
        ['/nigeria/nassarawa', '/nigeria/nasarawa'],
        ['/nigeria/kaduna/Jema’a', '/nigeria/kaduna/jemaa'],
        ['/nigeria/KADUNA/chikun', '/nigeria/kaduna/chikun'],
        ['/nigeria/ng-kd/ng-kd-birnin-gwari', '/nigeria/kaduna/birnin-gwari'],
        ['/nigeria/chikun', '/nigeria/kaduna/chikun'],
      ] as const) {
        const found = findPath(given)
        assert.equal(found.kind, 'moved', given)
        assert.equal(found.kind === 'moved' && areaPath(found.area), path, given)
      }
    })

    it('that are unknown name what may be meant', () => {
      for (const [given, within, suggested] of [
        ['/nigeria/kadunna', '/nigeria', '/nigeria/kaduna'],
        ['/nigeria/kaduna/chikum', '/nigeria/kaduna', '/nigeria/kaduna/chikun'],
        ['/nigeria/kano/chikun', '/nigeria/kano', '/nigeria/kaduna/chikun'],
        ['/nigeria/surulere', '/nigeria', '/nigeria/oyo/surulere'],
        ['/nigeria/birnin-gwary', '/nigeria', '/nigeria/kaduna/birnin-gwari'],
      ] as const) {
        const found = findPath(given)
        assert.equal(found.kind, 'unknown', given)
        if (found.kind !== 'unknown') continue
        assert.equal(areaPath(found.within), within)
        assert.ok(found.suggestions.map(areaPath).includes(suggested), `${given}: ${found.suggestions.map(areaPath)}`)
      }
      assert.deepEqual(findPath(`/nigeria/${'x'.repeat(190)}`), { kind: 'unknown', within: areas[0], suggestions: [] })
    })
  })

  describe('neighbours', () => {
    it('of a state have a common border with it, and it with them', () => {
      const names = (code: string) => neighbours.ofState(code).map(({ name }) => name)
      assert.deepEqual(names('NG-LA'), ['Ogun'])
      assert.deepEqual(names('NG-KD'), [
        'Bauchi',
        'Federal Capital Territory',
        'Kano',
        'Katsina',
        'Nasarawa',
        'Niger',
        'Plateau',
        'Zamfara',
      ])
      for (const state of places.states)
        for (const other of neighbours.ofState(state.code)) assert.ok(neighbours.ofState(other.code).includes(state))
    })

    it('of an LGA are the nearest by their centres, the nearest first', () => {
      for (const lga of places.lgas) {
        const nearby = neighbours.ofLga(lga.code)
        const distances = nearby.map(({ kilometres }) => kilometres)
        assert.ok(!nearby.some((one) => one.lga === lga))
        assert.deepEqual(
          distances,
          distances.toSorted((one, other) => one - other),
        )
      }
      assert.ok(neighbours.ofLga('NG-KD-CHIKUN').some(({ lga }) => lga.name === 'Kaduna South'))
    })
  })

  describe('the pages that an incident is on', () => {
    const showing = areasShowing(places, neighbours)

    it('are those of the country, its state and LGA, and those that count these as neighbours', () => {
      const codes = [...showing({ state: 'NG-KD', lga: 'NG-KD-CHIKUN' })]
      for (const code of ['NG', 'NG-KD', 'NG-KD-CHIKUN', 'NG-KN']) assert.ok(codes.includes(code), code)
      for (const code of ['NG-LA', 'NG-KN-DALA', 'NG-BO']) assert.ok(!codes.includes(code), code)
      assert.ok(codes.length < 30, `${codes.length}`)
    })

    it('leave out the LGAs if it is known only to the state', () => {
      const codes = [...showing({ state: 'NG-KD', lga: null })]
      assert.ok(codes.includes('NG-KD') && codes.every((code) => code.length <= 5), codes.join())
      assert.equal(new Set(areas.map(areaCode)).size, areas.length)
    })
  })
})

describe('area cache', () => {
  interface TextDocument extends AreaDocument {
    readonly text: string
  }

  const write = (text: string, { size = 100, validUntil = Number.POSITIVE_INFINITY } = {}) =>
    // biome-ignore lint/correctness/useYield: a document that needs one step
    function* () {
      return { text, size, validUntil }
    }
  const showing = ({ state }: { state: string }) => ['NG', state]

  test('a document is kept until an event of its area, or until its time is over', async () => {
    const archive = await emptyArchive()
    const cache = new AreaCache<TextDocument>(new SlicedQueries(), showing, ['en', 'ha'])
    const textOf = async (code: string, form: string, text: string, now = 0, validUntil = 1000) =>
      (await cache.getDocument(archive, code, form, now, anAsker, write(text, { validUntil }))).text
    for (const code of ['NG', 'NG-KD', 'NG-LA'])
      for (const form of ['en', 'ha']) assert.equal(await textOf(code, form, `${code} ${form}`), `${code} ${form}`)
    assert.equal(await textOf('NG-KD', 'en', 'again'), 'NG-KD en')
    archive.apply([anEvent(1, anIncident(1))])
    assert.equal(await textOf('NG-LA', 'en', 'again'), 'NG-LA en')
    assert.equal(await textOf('NG-LA', 'ha', 'again'), 'NG-LA ha')
    assert.equal(await textOf('NG-KD', 'en', 'again'), 'again')
    assert.equal(await textOf('NG-KD', 'ha', 'again'), 'again')
    assert.equal(await textOf('NG', 'ha', 'again'), 'again')
    assert.equal(await textOf('NG-LA', 'en', 'tomorrow', 1000, 2000), 'tomorrow')
    assert.equal(await textOf('NG-LA', 'ha', 'other archive'), 'NG-LA ha')
    const other = await emptyArchive()
    assert.equal((await cache.getDocument(other, 'NG-LA', 'ha', 0, anAsker, write('new'))).text, 'new')
  })

  test('documents and their keys stay within the bound', async () => {
    const archive = await emptyArchive()
    const cache = new AreaCache<TextDocument>(new SlicedQueries(), showing, ['en'], 100_000)
    for (let number = 0; number < 300; number++)
      await cache.getDocument(archive, `NG-${number}`, 'en', 0, anAsker, write('', { size: 3000 }))
    assert.ok(cache.size > 90_000 && cache.size <= 100_000, `${cache.size} bytes`)
  })
})
