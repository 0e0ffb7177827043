import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Incident } from '../../../src/domain/incident.ts'
import { until } from '../../support/app.ts'
import { browserMissing } from '../../support/browser.ts'
import { anIncident, incidentId } from '../../support/incident.ts'
import { aReport } from '../../support/report.ts'
import { LAGOS, mapIsThere, minutesAgo, type Stand, startStand } from './browser-app.ts'

const missing = browserMissing()
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const rows = (page: Page) => page.locator('.rows .row').count()
const heading = (page: Page) => page.locator('.list-head h1').innerText()
const pill = (page: Page) => page.locator('.live-pill strong').innerText()
const address = (page: Page) => new URL(page.url()).search

describe('the map in a browser', { skip: missing ?? false, timeout: 600_000 }, () => {
  let stand: Stand
  const retract = (incident: Incident) =>
    stand.app.publish([{ ...incident, status: 'retracted', version: 2 }], 'incident.retracted')
  before(async () => {
    stand = await startStand()
    await stand.app.publish([
      ...Array.from({ length: 6 }, (_, index) => minutesAgo(60 * 24 * (index + 1), index + 1)),
      ...Array.from({ length: 3 }, (_, index) => minutesAgo(60 * 24 * 20 + index, index + 20, LAGOS)),
      minutesAgo(30, 40, {
        summary: '<img src=x onerror="document.title=1"> <b>bold</b> & more',
        severity: 'critical',
      }),
    ])
  })
  after(() => stand?.[Symbol.asyncDispose]())

  it('shows the newest incidents, complains of nothing and asks no other host', async () => {
    await using opened = await stand.open()
    const { page, faults } = opened
    await mapIsThere(page)
    await until(async () => (await heading(page)) === '10 incidents', 'the count')
    await until(async () => (await rows(page)) === 10, 'the rows')
    await until(async () => (await pill(page)) === 'Live', 'live')
    assert.deepEqual(faults, [])
  })

  it('filters by severity and by state, says how many each would leave, and keeps all of it in the address', async () => {
    await using opened = await stand.open()
    const { page } = opened
    await page.getByRole('button', { name: /^Low 3/ }).click()
    await until(async () => (await rows(page)) === 3, 'the three')
    await until(() => address(page) === '?severity=low', 'the address')
    await page.getByRole('button', { name: 'State', exact: true }).click()
    await page.getByRole('checkbox', { name: /Lagos 3/ }).check()
    await until(async () => (await heading(page)) === '3 incidents', 'the count')
    await until(() => address(page) === '?state=NG-LA&severity=low', 'the address of both')
    await page.keyboard.press('Escape')
    await page.goBack()
    await until(() => address(page) === '?severity=low', 'the way back')
    await page.getByRole('button', { name: 'Clear' }).click()
    await until(async () => (await rows(page)) === 10, 'all of them')
  })

  it('shows the same view to whoever opens a shared link', async () => {
    await using opened = await stand.open('/?state=NG-LA&type=armed_robbery&span=1y&layer=states&at=7/7/4')
    const { page, faults } = opened
    await mapIsThere(page)
    await until(async () => (await rows(page)) === 3, 'the three in Lagos')
    assert.ok(await page.getByRole('radio', { name: '1 year' }).isChecked())
    assert.ok(await page.getByRole('radio', { name: 'By state' }).isChecked())
    await page.getByRole('button', { name: 'Share this view' }).click()
    const shared = await page.getByRole('dialog').innerText()
    assert.match(shared, /\/\?span=1y&state=NG-LA&type=armed_robbery&layer=states&at=7\/7\/4/)
    assert.match(shared, /curl '[^']+\/v1\/incidents\?state=NG-LA&type=armed_robbery&since=365d'/)
    assert.match(shared, /"state": \[\s+"NG-LA"\s+\]/)
    assert.deepEqual(faults, [])
  })

  it('narrows to what is brushed, and plays through time', async () => {
    await using opened = await stand.open()
    const { page } = opened
    await mapIsThere(page)
    await page.waitForSelector('.brush-area')
    const { x, y, width, height } = (await page.locator('.brush-area').boundingBox())!
    await page.mouse.move(x + width * 0.05, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 5 })
    await page.mouse.up()
    await until(async () => (await rows(page)) === 3, 'the three of three weeks ago')
    await until(() => /from=.*&to=/.test(address(page)), 'the window in the address')
    const before = address(page)
    await page.getByRole('button', { name: 'Play through time' }).click()
    await until(() => /from=/.test(address(page)) && address(page) !== before, 'the next window')
    await page.getByRole('button', { name: 'Play through time' }).click()
    await page.getByRole('button', { name: 'Whole span' }).click()
    await until(async () => (await rows(page)) === 10, 'the whole span')
  })

  it('opens a card with what is known, its reasons in words and its sources, markup staying text', async () => {
    await using opened = await stand.open()
    const { page, faults } = opened
    await page.locator('.rows .row').first().click()
    await page.waitForSelector('.card h2')
    assert.equal(
      await page.locator('.card h2').innerText(),
      '<img src=x onerror="document.title=1"> <b>bold</b> & more',
    )
    const card = await page.locator('.card').innerText()
    assert.match(card, /Gonin Gora, Chikun, Kaduna/)
    assert.match(card, /town or village, within 3 km/)
    assert.match(card, /2 injured, 11 abducted/)
    assert.match(card, /3 sources that do not copy one another/)
    const link = page.getByRole('link', { name: 'Example Daily' })
    assert.equal(await link.getAttribute('rel'), 'noopener nofollow')
    assert.equal(address(page), `?incident=${incidentId(40)}`)
    await page.getByRole('button', { name: 'All incidents' }).click()
    await until(async () => (await rows(page)) === 10, 'the list')
    assert.notEqual(await page.title(), '1')
    assert.deepEqual(faults, [])
  })

  it('makes no link of a source that is not on the web', async () => {
    const incident = minutesAgo(10, 60, {
      // biome-ignore lint/suspicious/noExplicitAny: what a careless importer might let through
      sources: [{ url: 'javascript:alert(1)' as any, publisher: 'Odd', published_at: null }],
    })
    await stand.app.publish([incident])
    for (const javaScriptEnabled of [true, false]) {
      await using opened = await stand.open(`/incidents/${incident.id}`, { javaScriptEnabled })
      await opened.page.getByText('Odd').waitFor()
      assert.equal(await opened.page.getByRole('link', { name: 'Odd' }).count(), 0)
    }
    await retract(incident)
  })

  it('tells the corrections of an incident', async () => {
    const { text } = await stand.app.issue({ scopes: ['read', 'operate'] })
    const { id } = (await (await stand.app.post('/v1/reports', aReport(), text)).json()) as { id: string }
    await stand.app.post(`/v1/desk/incidents/${id}/confirm`, '', text)
    await stand.app.patch(`/v1/desk/incidents/${id}`, { casualties: { killed: 2 } }, text, '"1"')
    await until(() => stand.app.archive.slotOf(id) !== null)
    await using opened = await stand.open(`/incidents/${id}`)
    await opened.page.getByText('Corrected: casualties').waitFor()
    await stand.app.post(`/v1/desk/incidents/${id}/retract`, '', text)
    await until(() => stand.app.archive.isRetracted(id))
    await using gone = await stand.open(`/incidents/${id}`)
    await gone.page.getByRole('heading', { name: 'This incident was retracted' }).waitFor()
  })

  it('lets a new incident in, announces it, and lets a retracted one go', async () => {
    await using opened = await stand.open()
    const { page, faults } = opened
    await mapIsThere(page)
    await until(() => stand.streams.size > 0, 'the stream')
    const pulsed = page.waitForSelector('.pulse', { state: 'attached' })
    const arrived = minutesAgo(0, 70, { summary: 'It has just arrived.' })
    await stand.app.publish([arrived])
    await pulsed
    await until(async () => (await rows(page)) === 11, 'the eleventh')
    assert.match(await page.locator('.row.fresh').innerText(), /It has just arrived/)
    await until(
      async () =>
        /1 incident new. It has just arrived/.test(await page.locator('[role=status]').allInnerTexts().then(String)),
      'the announcement',
    )
    await page.locator('.row.fresh').click()
    await retract(arrived)
    await page.getByRole('heading', { name: 'This incident was retracted' }).waitFor()
    await page.getByRole('button', { name: 'All incidents' }).click()
    await until(async () => (await rows(page)) === 10, 'the ten that are left')
    assert.deepEqual(faults, [])
  })

  it('does not move for those who want no motion', async () => {
    await using opened = await stand.open('/', { reducedMotion: 'reduce' })
    const { page } = opened
    await mapIsThere(page)
    await until(() => stand.streams.size > 0, 'the stream')
    const arrived = minutesAgo(0, 71)
    await stand.app.publish([arrived])
    await until(async () => (await rows(page)) === 11, 'the eleventh')
    assert.equal(await page.locator('.pulse').count(), 0)
    await retract(arrived)
  })

  it('says when the connection is lost, comes back by itself and goes on where it was', async () => {
    await using opened = await stand.open()
    const { page } = opened
    await until(async () => (await pill(page)) === 'Live', 'live')
    const arrived = minutesAgo(0, 72)
    await stand.app.publish([arrived])
    await until(async () => (await rows(page)) === 11, 'the eleventh')
    const { seq } = await stand.app.store.events.head()
    const connections = stand.resumedFrom.length
    stand.streaming = false
    await until(async () => (await pill(page)) === 'Behind', 'behind')
    stand.streaming = true
    await until(async () => (await pill(page)) === 'Live', 'live again')
    assert.equal(stand.resumedFrom[connections], String(seq))
    await page.context().setOffline(true)
    await until(async () => (await pill(page)) === 'Offline', 'offline')
    await page.getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await until(async () => (await pill(page)) === 'Live', 'live once more')
    await retract(arrived)
    await until(async () => (await rows(page)) === 10, 'the ten')
  })

  it('works on a phone: the sheet, the filter button, a card', async () => {
    await using opened = await stand.open('/', PHONE)
    const { page, faults } = opened
    await mapIsThere(page)
    assert.match(await page.locator('.peek-line').innerText(), /bold/)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('button', { name: /^Low 3/ }).click()
    await until(async () => (await rows(page)) === 3, 'the three')
    await page.locator('.rows .row').first().click()
    await page.waitForSelector('.card h2')
    const small = await page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          '.sheet-handle, .chip, .spans .segment, .icon-button, .actions .button',
        ),
      ]
        .filter((element) => element.offsetParent && element.getBoundingClientRect().height < 40)
        .map((element) => element.outerHTML),
    )
    assert.deepEqual(small, [])
    assert.deepEqual(faults, [])
  })

  it('can be used by keyboard alone', async () => {
    await using opened = await stand.open()
    const { page } = opened
    await page.waitForSelector('.brush-slider')
    const press = async (key: string, what: () => Promise<boolean>) => {
      for (let presses = 0; presses < 60; presses++) {
        if (await what()) return
        await page.keyboard.press(key)
      }
      throw new Error(`${key} does not lead there`)
    }
    const focused = (selector: string) => () =>
      page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)
    await press('Tab', focused('.severity'))
    await page.keyboard.press('Space')
    await until(() => address(page) === '?severity=critical', 'the filter')
    await page.keyboard.press('Space')
    await until(async () => (await rows(page)) === 10, 'all')
    await press('Tab', focused('.menu .chip'))
    await page.keyboard.press('Enter')
    await page.waitForSelector('.menu-row')
    await page.keyboard.press('Escape')
    await until(focused('.menu .chip'), 'the focus comes back to the chip')
    await press('Tab', focused('.row'))
    await page.keyboard.press('Enter')
    await page.waitForSelector('.card h2')
    await until(focused('.card h2'), 'the focus goes to the card')
    await press('Shift+Tab', focused('.back'))
    await page.keyboard.press('Enter')
    await until(focused('.row'), 'the focus comes back to the row')
    await press('Tab', focused('.brush-slider.from'))
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight')
    await until(() => /from=/.test(address(page)), 'the window')
  })

  it('is read without JavaScript: the newest as a list, each with a page', async () => {
    await using opened = await stand.open('/', { javaScriptEnabled: false })
    const { page, faults } = opened
    assert.equal(await rows(page), 10)
    await page.locator('.rows .row').nth(1).click()
    assert.match(await page.locator('h1').innerText(), /Gunmen abducted eleven people/)
    assert.deepEqual(faults, [])
  })

  it('stands in somebody else’s page without its bar and panel', async () => {
    await using opened = await stand.open('/?embed=1')
    await mapIsThere(opened.page)
    assert.equal(await opened.page.locator('.bar, .panel').count(), 0)
    await opened.page.getByRole('link', { name: 'Incident Feed' }).waitFor()
    assert.deepEqual(opened.faults, [])
  })

  const withoutScripts = (page: Page) => page.route('**/assets/*.js', (route) => route.abort())
  const asItIs = async () => {}
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [what, path, options, prepare] of [
      ['the map', '/', {}, asItIs],
      ['a card', `/incidents/${anIncident(1).id}`, {}, asItIs],
      ['a phone', '/', PHONE, asItIs],
      ['the plain page', '/', {}, withoutScripts],
      ['an embedded map', '/?embed=1', {}, asItIs],
    ] as const) {
      it(`breaks no rule of WCAG A or AA: ${what}, ${colorScheme}`, async () => {
        await using opened = await stand.open(path, { ...options, colorScheme, bypassCSP: true }, prepare)
        const { page } = opened
        await page.addScriptTag({ content: AXE })
        if (prepare === asItIs) await mapIsThere(page)
        if (what === 'a phone') await page.getByRole('button', { name: 'Filters' }).click()
        assert.deepEqual(await violationsOn(page), [])
        if (what !== 'the map') return
        await page.getByRole('button', { name: 'Type', exact: true }).click()
        await page.waitForSelector('.menu-row')
        await page.getByRole('button', { name: 'Share this view' }).click()
        assert.deepEqual(await violationsOn(page), [])
      })
    }
  }
})

function violationsOn(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  })
}
