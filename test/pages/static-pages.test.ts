import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, before, describe, it, test } from 'node:test'
import type { ServiceStatus } from '../../client/src/generated/types.ts'
import { inTurn } from '../../src/api/response.ts'
import { PRECISIONS } from '../../src/domain/incident.ts'
import { LANGUAGE_CODES } from '../../src/domain/languages.ts'
import { CONFIDENCE_LEVELS, SEVERITIES } from '../../src/domain/taxonomy.ts'
import { english, loadLanguage } from '../../src/i18n/translate.ts'
import { html } from '../../src/pages/html.ts'
import { acceptedLanguages } from '../../src/pages/page-language.ts'
import { statusBody } from '../../src/pages/status.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

test('the reference and the OpenAPI document are written once, compressed, and not sent again to those who have them', async () => {
  await using app = await startTestApp()
  for (const path of ['/docs', '/openapi.json']) {
    const first = await app.get(path, null, { 'accept-encoding': 'br' })
    assert.deepEqual([first.status, first.headers.get('content-encoding')], [200, 'br'])
    const etag = first.headers.get('etag')!
    const again = await app.get(path, null, { 'if-none-match': etag })
    assert.equal(again.status, 304)
    assert.equal((await app.get(path, null, { 'accept-encoding': 'identity' })).headers.get('etag'), etag)
  }
})

test('compression leaves a core to requests, however many answers wait for it', async () => {
  let running = 0
  let most = 0
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      inTurn(async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return index
      }),
    ),
  )
  assert.equal(most, Math.max(1, Math.min(3, availableParallelism() - 1)))
  assert.deepEqual(
    results,
    Array.from({ length: 50 }, (_, index) => index),
  )
})

describe('about', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp()
  })
  after(() => app[Symbol.asyncDispose]())

  const textOf = async (path: string, headers: Record<string, string> = {}) =>
    (await app.get(path, null, headers)).text()

  test('the page says how incidents are found, confirmed, corrected, how complete they are, and who is credited', async () => {
    const text = await textOf('/about')
    for (const part of [
      'How incidents are found',
      'How they are confirmed',
      'How they are corrected',
      'How complete they are',
      'What the marks mean',
      'GeoNames, CC BY 4.0',
      'SIL Open Font License',
    ])
      assert.ok(text.includes(part), part)
    assert.doesNotMatch(text, /\{\w+\}|undefined|made up/)
  })

  test('the address chooses the language, else the browser does; a draft says that it is one', async () => {
    assert.match(await textOf('/about'), /<html lang="en">/)
    assert.doesNotMatch(await textOf('/about'), /class="draft"/)
    for (const code of LANGUAGE_CODES.filter((code) => code !== 'en')) {
      const text = await textOf(`/about?lang=${code}`)
      assert.ok(text.includes(`<html lang="${code}">`))
      assert.match(text, /<p class="draft">/)
    }
    assert.match(await textOf('/about', { 'accept-language': 'fr, yo;q=0.8, en;q=0.5' }), /<html lang="yo">/)
    assert.match(await textOf('/about?lang=en', { 'accept-language': 'ha' }), /<html lang="en">/)
    assert.match(await textOf('/about?lang=%3Cscript%3E'), /<html lang="en">/)
    assert.match((await app.get('/about', null)).headers.get('vary')!, /Accept-Language/)
  })

  for (const code of LANGUAGE_CODES) {
    test(`every severity, precision and level of confidence is explained in ${code}`, async () => {
      const text = await textOf(`/about?lang=${code}`)
      const { translate } = await loadLanguage(code)
      const keys = [
        'page.about',
        ...SEVERITIES.map((severity) => `common.severity_${severity}_meaning` as const),
        ...PRECISIONS.map((precision) => `panel.precision_help_${precision}` as const),
        ...CONFIDENCE_LEVELS.map((level) => `panel.confidence_help_${level}` as const),
      ] as const
      for (const key of keys) assert.ok(text.includes(translate(key).replaceAll("'", '&#39;')), key)
    })
  }

  test('a service with made-up incidents says so', async () => {
    await using demo = await startTestApp({ DEMO: 'true' })
    assert.match(await (await demo.get('/about', null)).text(), /made up/)
  })

  test('preferences are read by their quality, and an endless header only in part', () => {
    assert.deepEqual(acceptedLanguages('en;q=0.5, ha-NG, ig;q=0, *;q=0.1'), ['ha-NG', 'en', '*'])
    assert.deepEqual(acceptedLanguages(''), [])
    assert.equal(acceptedLanguages('ha,'.repeat(10_000)).length, 20)
  })
})

describe('html', () => {
  test('values in markup are escaped, nested markup is not', () => {
    assert.equal(
      html`<a title="${'"><b>'}">${html`<i>${"it's"}</i>`}${[1, '<']}${null}</a>`.text,
      '<a title="&quot;&gt;&lt;b&gt;"><i>it&#39;s</i>1&lt;</a>',
    )
  })
})

describe('briefing', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp({}, { clock: () => Date.UTC(2026, 0, 2) })
    await app.publish(
      Array.from({ length: 50 }, (_, number) =>
        anIncident(number, {
          summary: `<b>event</b> ${number}`,
          severity: number < 10 ? 'critical' : 'low',
          casualties: { killed: 2, injured: null, abducted: null },
        }),
      ),
    )
  })
  after(() => app[Symbol.asyncDispose]())

  const textOf = async (path: string) => (await app.get(path, null)).text()

  test('the briefing has the figures that the API counts, the map, the newest incidents and when it was made', async () => {
    const { text: key } = await app.issue()
    const counted = (await (await app.get('/v1/stats?group_by=severity&severity=critical', key)).json()) as {
      total: { count: number; casualties: { killed: number } }
    }
    const text = await textOf('/briefing?severity=critical&span=all')
    assert.equal(counted.total.count, 10)
    assert.ok(text.includes('10 incidents') && text.includes(`${counted.total.casualties.killed} killed`))
    assert.equal(text.match(/<li class="with-mark"><span class="mark critical"><\/span><span><strong>/g)?.length, 10)
    assert.match(text, /<svg viewBox="0 0 720 520"/)
    assert.match(text, /Made on 2 Jan 2026, 01:00 WAT from <a href="http[^"]+\/\?severity=critical&amp;span=all">/)
    assert.doesNotMatch(text, /<b>event|NaN|undefined|\{\w+\}/)
  })

  test('a box up to the poles has a map with every incident on it', async () => {
    const text = await textOf('/briefing?box=-180,-90,180,90&span=all')
    const [svg = ''] = /<svg viewBox="0 0 720 520".*?<\/svg>/s.exec(text) ?? []
    assert.match(svg, /<path d="M/)
    assert.match(svg, />50<\/text>/)
  })

  test('a long list ends with the number of those that are not listed', async () => {
    const text = await textOf('/briefing?span=all')
    assert.ok(text.includes('50 incidents') && text.includes('And 10 more, not listed here.'))
  })

  test('it keeps the view in other languages, and no input makes an error of the server', async () => {
    const text = await textOf('/briefing?state=kaduna&lang=ha')
    assert.match(text, /<html lang="ha">/)
    const { translate } = await loadLanguage('ha')
    for (const sentence of [
      translate('share.briefing_title', { place: 'Kaduna' }),
      translate('common.incidents', { count: '50' }),
      translate('common.killed', { count: '100' }),
      translate('common.severity_critical'),
      translate('common.draft'),
    ])
      assert.ok(text.includes(sentence.replaceAll("'", '&#39;')), sentence)
    assert.match(text, /href="http[^"]+\/briefing\?state=kaduna&amp;lang=yo"/)
    for (const query of ['state=Atlantis', 'at=x/y/z', 'from=never', '%', `state=${'x'.repeat(3000)}`])
      assert.equal((await app.get(`/briefing?${query}`, null)).status, 200, query)
  })
})

describe('status', () => {
  const STATUS: ServiceStatus = {
    status: 'ok',
    at: '2026-11-15T12:00:00.000Z',
    in_step_since: '2026-11-12T11:00:00.000Z',
    in_step_at: '2026-11-15T12:00:00.000Z',
    last_confirmed_at: '2026-11-15T11:55:00.000Z',
    incidents_24h: 1234,
    deliveries_24h: { measured: 3, p50_seconds: 0.042, p99_seconds: 12.4 },
    sources: { new: 0, healthy: 7, failing: 2, paused: 0 },
  }

  describe('the page /status', () => {
    it('says in words what the status says in numbers', () => {
      const { text } = statusBody(STATUS, english)
      for (const part of [
        'what it shows is up to date',
        '3 days ago <small>12 Nov 2026, 12:00 WAT</small>',
        '5 min ago <small>15 Nov 2026, 12:55 WAT</small>',
        '1,234',
        '0.04 s',
        '12 s',
        '7 healthy, 2 failing',
        'As of 15 Nov 2026, 13:00 WAT.',
      ])
        assert.ok(text.includes(part), part)
      assert.doesNotMatch(text, /undefined|null|NaN|\{\w+\}/)
    })

    it('says when it is behind, and what is not known or not there', () => {
      const away = { ...STATUS, status: 'behind', in_step_since: null, deliveries_24h: null, sources: null } as const
      const behind = statusBody(away, english).text
      for (const part of ['may be old', 'Last up to date', 'Not known at present'])
        assert.ok(behind.includes(part), part)
      const none = { measured: 0, p50_seconds: null, p99_seconds: null }
      const sources = { new: 0, healthy: 0, failing: 0, paused: 0 }
      const empty = statusBody({ ...STATUS, last_confirmed_at: null, deliveries_24h: none, sources }, english).text
      for (const part of ['None yet', 'None was sent', '<dd>None</dd>']) assert.ok(empty.includes(part), part)
    })

    it('is served in every language, needs no script, and is not sent again to those who have it', async () => {
      await using app = await startTestApp()
      await app.publish([anIncident(1)])
      for (const code of LANGUAGE_CODES) {
        const response = await app.get(`/status?lang=${code}`, null)
        const text = await response.text()
        const { translate } = await loadLanguage(code)
        assert.equal(response.status, 200)
        assert.ok(text.includes(`<html lang="${code}">`), code)
        assert.ok(text.includes(translate('status.ok').replaceAll("'", '&#39;')), code)
        assert.doesNotMatch(text, /<script/)
        const again = await app.get(`/status?lang=${code}`, null, { 'if-none-match': response.headers.get('etag')! })
        assert.equal(again.status, 304)
      }
      assert.match(await (await app.get('/about', null)).text(), /<footer.*<a href="\/status">Status<\/a>/s)
    })
  })
})
