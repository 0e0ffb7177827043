import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Incident } from '../../../src/domain/incident.ts'
import { positionText } from '../../../src/event-log/positions.ts'
import { until } from '../../support/app.ts'
import { skipBrowser } from '../../support/browser.ts'
import { anIncident, aReport, incidentId } from '../../support/incident.ts'
import {
  assertAccessibleIn,
  type BrowserFixture,
  LAGOS,
  looks,
  minutesAgo,
  SMALL_DESKTOP,
  showAddress,
  startBrowserFixture,
  WCAG_AA,
  waitForMap,
} from '../browser-fixture.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const rows = (page: Page) => page.locator('.rows .row').count()
const heading = async (page: Page) => (await page.locator('.list-head h1').innerText()).split(',')[0]
const pill = (page: Page) => page.locator('.live-pill strong').innerText()
const address = (page: Page) => new URL(page.url()).search

describe('the map in a browser', { skip: skipBrowser() }, () => {
  let fixture: BrowserFixture
  const retract = (incident: Incident) =>
    fixture.app.publish([{ ...incident, status: 'retracted', version: 2 }], 'incident.retracted')
  before(async () => {
    fixture = await startBrowserFixture()
    await fixture.app.publish([
      ...Array.from({ length: 6 }, (_, index) => minutesAgo(60 * 24 * (index + 1), index + 1)),
      ...Array.from({ length: 3 }, (_, index) => minutesAgo(60 * 24 * 20 + index, index + 20, LAGOS)),
      minutesAgo(30, 40, {
        summary: '<img src=x onerror="document.title=1"> <b>bold</b> & more',
        severity: 'critical',
      }),
    ])
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  it('shows the newest incidents without console errors or requests to other hosts', async () => {
    const { page, problems } = await fixture.showMap()
    await until(async () => (await heading(page)) === '10 incidents', 'the count')
    await until(async () => (await rows(page)) === 10, 'the rows')
    await until(async () => (await pill(page)) === 'Live', 'live')
    assert.deepEqual(problems, [])
  })

  it('adds and announces a new incident, and removes a retracted one', async () => {
    const { page, problems } = await fixture.showMap()
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await until(() => fixture.streams.size > 0, 'the stream')
    const pulsed = page.waitForSelector('.pulse', { state: 'attached' })
    const arrived = minutesAgo(0, 70, { summary: 'It has just arrived.' })
    await fixture.app.publish([arrived])
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
    assert.deepEqual(problems, [])
  })

  it('does not animate under reduced motion', async () => {
    const { page } = await fixture.showMap()
    await until(async () => (await rows(page)) === 10, 'the ten')
    await until(() => fixture.streams.size > 0, 'the stream')
    const arrived = minutesAgo(0, 71)
    await fixture.app.publish([arrived])
    await until(async () => (await rows(page)) === 11, 'the eleventh')
    assert.equal(await page.locator('.pulse').count(), 0)
    await retract(arrived)
  })

  it('filters by severity and state, shows the count of each option, and keeps the filters in the address', async () => {
    await using opened = await fixture.openSavingData()
    const { page } = opened
    await page.getByRole('button', { name: /^Low 3/ }).click()
    await until(async () => (await rows(page)) === 3, 'the three')
    await until(() => address(page) === '?severity=low', 'the address')
    await page.getByRole('button', { name: 'State', exact: true }).click()
    await page.getByRole('checkbox', { name: /Lagos 3/ }).check()
    await until(async () => (await heading(page)) === '3 incidents', 'the count')
    await until(() => /^\?state=NG-LA&severity=low(&at=|$)/.test(address(page)), 'the address of both')
    await page.keyboard.press('Escape')
    await page.goBack()
    await until(() => address(page) === '?severity=low', 'the way back')
    await page.getByRole('button', { name: 'Clear' }).click()
    await until(async () => (await rows(page)) === 10, 'all of them')
  })

  it('shows the same view for a shared link', async () => {
    await using opened = await fixture.open('/?state=NG-LA&type=armed_robbery&span=1y&layer=states&at=7/7/4', {
      viewport: SMALL_DESKTOP,
    })
    const { page, problems } = opened
    await waitForMap(page)
    await until(async () => (await rows(page)) === 3, 'the three in Lagos')
    assert.ok(await page.getByRole('radio', { name: '1 year' }).isChecked())
    assert.ok(await page.getByRole('radio', { name: 'By state' }).isChecked())
    await page.getByRole('button', { name: 'Share this view' }).click()
    const shared = await page.getByRole('dialog').innerText()
    assert.match(shared, /\/\?span=1y&state=NG-LA&type=armed_robbery&layer=states&at=7\/7\/4/)
    assert.match(shared, /curl '[^']+\/v1\/incidents\?state=NG-LA&type=armed_robbery&from=[^&]+&to=[^']+'/)
    assert.match(shared, /"state": \[\s+"NG-LA"\s+\]/)
    assert.deepEqual(problems, [])
  })

  it('narrows to the brushed window, and plays through time', async () => {
    await using opened = await fixture.openSavingData()
    const { page } = opened
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

  it('opens a card with facts, confidence reasons and sources, and shows markup as text', async () => {
    await using opened = await fixture.openSavingData()
    const { page, problems } = opened
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
    assert.match(card, /Confidence: Well supported/)
    await page.getByText('Why? See the reasons').click()
    await page.getByText(/3 sources that do not copy one another/).waitFor()
    const link = page.getByRole('link', { name: 'Example Daily' })
    assert.equal(await link.getAttribute('rel'), 'noopener nofollow')
    assert.equal(address(page), `?incident=${incidentId(40)}`)
    await page.getByRole('button', { name: 'All incidents' }).click()
    await until(async () => (await rows(page)) === 10, 'the list')
    assert.notEqual(await page.title(), '1')
    assert.deepEqual(problems, [])
  })

  it('makes no link of a source without an http(s) URL', async () => {
    const incident = minutesAgo(10, 60, {
      // biome-ignore lint/suspicious/noExplicitAny: a value that an importer might let through
      sources: [{ url: 'javascript:alert(1)' as any, publisher: 'Odd', published_at: null }],
    })
    await fixture.app.publish([incident])
    for (const javaScriptEnabled of [true, false]) {
      await using opened = await fixture.openSavingData(`/incidents/${incident.id}`, { javaScriptEnabled })
      await opened.page.getByText('Odd').waitFor()
      assert.equal(await opened.page.getByRole('link', { name: 'Odd' }).count(), 0)
    }
    await retract(incident)
  })

  it('shows the corrections of an incident', async () => {
    const { text } = await fixture.app.issue({ scopes: ['read', 'operate'] })
    const { id } = (await (await fixture.app.post('/v1/reports', aReport(), text)).json()) as { id: string }
    await fixture.app.post(`/v1/desk/incidents/${id}/confirm`, '', text)
    await fixture.app.patch(`/v1/desk/incidents/${id}`, { casualties: { killed: 2 } }, text, '"1"')
    await until(() => fixture.app.archive.slotOf(id) !== null)
    await using opened = await fixture.openSavingData(`/incidents/${id}`)
    await opened.page.getByText('Corrected: casualties').waitFor()
    await fixture.app.post(`/v1/desk/incidents/${id}/retract`, '', text)
    await until(() => fixture.app.archive.isRetracted(id))
    await using gone = await fixture.openSavingData(`/incidents/${id}`)
    await gone.page.getByRole('heading', { name: 'This incident was retracted' }).waitFor()
  })

  it('shows a lost connection, reconnects and resumes after the last event', async () => {
    await using opened = await fixture.openSavingData()
    const { page } = opened
    await until(async () => (await pill(page)) === 'Live', 'live')
    const arrived = minutesAgo(0, 72)
    await fixture.app.publish([arrived])
    await until(async () => (await rows(page)) === 11, 'the eleventh')
    const position = positionText(await fixture.app.store.events.head())
    const connections = fixture.resumedFrom.length
    fixture.streaming = false
    await until(async () => (await pill(page)) === 'Behind', 'behind')
    fixture.streaming = true
    await until(async () => (await pill(page)) === 'Live', 'live again')
    assert.equal(fixture.resumedFrom[connections], position)
    await page.context().setOffline(true)
    await until(async () => (await pill(page)) === 'Offline', 'offline')
    await page.getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await until(async () => (await pill(page)) === 'Live', 'live once more')
    await retract(arrived)
    await until(async () => (await rows(page)) === 10, 'the ten')
  })

  it('works on a phone: the sheet, the filter button, a card', async () => {
    await using opened = await fixture.open('/', PHONE)
    const { page, problems } = opened
    await waitForMap(page)
    // Incidents that the tests before have withdrawn may still be on their way out of this page.
    await until(async () => /^10 incidents\s.*bold/s.test(await page.locator('.peek-line').innerText()), 'the newest')
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    await page.getByRole('button', { name: 'Filters' }).click()
    await assertAccessibleIn(page, looks(PHONE.viewport.width), 'the filters', WCAG_AA)
    await page.getByRole('button', { name: /^Low 3/ }).click()
    await page.getByRole('button', { name: /^Low/, pressed: true }).waitFor()
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
    assert.deepEqual(problems, [])
  })

  it('can be used by keyboard alone', async () => {
    await using opened = await fixture.openSavingData()
    const { page } = opened
    await page.waitForSelector('.brush-slider')
    const pressUntil = async (key: string, isReached: () => Promise<boolean>) => {
      for (let presses = 0; presses < 60; presses++) {
        if (await isReached()) return
        await page.keyboard.press(key)
      }
      throw new Error(`60 presses of ${key} did not reach the element`)
    }
    const focused = (selector: string) => () =>
      page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)
    await pressUntil('Tab', focused('.severity'))
    await page.keyboard.press('Space')
    await until(() => address(page) === '?severity=critical', 'the filter')
    await page.keyboard.press('Space')
    await until(async () => (await rows(page)) === 10, 'all')
    await pressUntil('Tab', focused('.menu .chip'))
    await page.keyboard.press('Enter')
    await page.waitForSelector('.menu-row')
    await page.keyboard.press('Escape')
    await until(focused('.menu .chip'), 'the focus comes back to the chip')
    await pressUntil('Tab', focused('.row'))
    await page.keyboard.press('Enter')
    await page.waitForSelector('.card h2')
    await until(focused('.card h2'), 'the focus goes to the card')
    await pressUntil('Shift+Tab', focused('.back'))
    await page.keyboard.press('Enter')
    await until(focused('.row'), 'the focus comes back to the row')
    await pressUntil('Tab', focused('.brush-slider.from'))
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight')
    await until(() => /from=/.test(address(page)), 'the window')
  })

  it('works without JavaScript: the newest incidents as a list, each with a page', async () => {
    await using opened = await fixture.open('/', { javaScriptEnabled: false })
    const { page, problems } = opened
    assert.equal(await rows(page), 10)
    await page.locator('.rows .row').nth(1).click()
    assert.match(await page.locator('h1').innerText(), /Gunmen abducted eleven people/)
    assert.deepEqual(problems, [])
  })

  it('shows neither header nor panel when embedded', async () => {
    await using opened = await fixture.open('/?embed=1', { viewport: SMALL_DESKTOP })
    const { page, problems } = opened
    await waitForMap(page)
    assert.equal(await page.locator('.bar, .panel').count(), 0)
    await page.getByRole('link', { name: 'Incident Feed' }).waitFor()
    assert.deepEqual(problems, [])
    await assertAccessibleIn(page, looks(1280), 'an embedded map', WCAG_AA)
  })

  it('has no WCAG A or AA violation in either theme: the plain page', async () => {
    const withoutScripts = (page: Page) => page.route('**/assets/*.js', (route) => route.abort())
    await using opened = await fixture.open('/', {}, withoutScripts, async () => {})
    await assertAccessibleIn(opened.page, looks(1280), 'the plain page', WCAG_AA)
  })

  it('has no WCAG A or AA violation in either theme: a card, the map, a menu and a dialog', async () => {
    const { page } = await fixture.showMap(`/incidents/${anIncident(1).id}`)
    await page.waitForSelector('.card h2')
    await assertAccessibleIn(page, looks(1280), 'a card', WCAG_AA)
    await showAddress(page, '/')
    await page.waitForSelector('.rows .row')
    await assertAccessibleIn(page, looks(1280), 'the map', WCAG_AA)
    await page.getByRole('button', { name: 'Type', exact: true }).click()
    await page.waitForSelector('.menu-row')
    await page.getByRole('button', { name: 'Share this view' }).click()
    await assertAccessibleIn(page, looks(1280), 'a menu and a dialog', WCAG_AA)
  })
})
