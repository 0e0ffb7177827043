import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../support/app.ts'
import { skipBrowser } from '../../support/browser.ts'
import {
  type BrowserFixture,
  LAGOS,
  minutesAgo,
  routeNow,
  showAddress,
  startBrowserFixture,
} from '../browser-fixture.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const DAY = 24 * 60

const rows = (page: Page) => page.locator('.rows .row').count()
const headline = (page: Page) => page.locator('.list-head h1').innerText()
const address = (page: Page) => new URL(page.url()).search
/** The first text that a row begins with; it must not change under the finger. */
const firstRow = (page: Page) => page.locator('.rows .row').first().innerText()

describe('reading the page', { skip: skipBrowser() }, () => {
  let fixture: BrowserFixture
  let number = 500
  before(async () => {
    fixture = await startBrowserFixture()
    await fixture.app.publish([
      ...Array.from({ length: 60 }, (_, index) => minutesAgo(DAY * (index % 6) + 90 + index, index + 1)),
      minutesAgo(45, 100, { ...LAGOS, casualties: { killed: 4, injured: 0, abducted: null } }),
    ])
  })
  after(() => fixture?.[Symbol.asyncDispose]())
  const arrive = () => fixture.app.publish([minutesAgo(0, ++number, { summary: `Arrival ${number}.` })])

  it('says the window that it counts, with the casualties, for a brushed part too', async () => {
    await using opened = await fixture.openSavingData()
    const { page } = opened
    await until(async () => /^61 incidents, \d.* – \d|^61 incidents, \d+–\d/.test(await headline(page)), 'the month')
    assert.match(await page.locator('.casualty-totals').innerText(), /^4 killed · 120 injured · 660 abducted$/)
    await page.locator('.brush-slider.from').focus()
    for (let step = 0; step < 29; step++) await page.keyboard.press('ArrowRight')
    const today = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'Africa/Lagos' })
    await until(async () => (await headline(page)).endsWith(`, ${today}`), 'the window in the headline')
    const count = Number((await headline(page)).split(' ')[0])
    await until(async () => (await rows(page)) === Math.min(50, count), 'the rows of that day')
    assert.match(await page.locator('.bars').getAttribute('aria-label').then(String), new RegExp(`^${count} incident`))
  })

  it('dates an event by when it happened, no more exactly than that is known', async () => {
    const day = new Date(Date.now() - 3 * 86_400_000 + 3_600_000).toISOString().slice(0, 10)
    const incident = minutesAgo(2, ++number, {
      occurred_at: `${day}T00:00:00Z`,
      time_precision: 'day',
      summary: 'It became known late.',
    })
    await fixture.app.publish([incident])
    await using opened = await fixture.openSavingData()
    const { page } = opened
    const row = page.locator('.row', { hasText: 'It became known late' })
    assert.match(await row.innerText(), /3 days ago/)
    assert.match(await row.innerText(), /2 injured, 11 abducted/)
    await row.click()
    assert.match(await page.locator('.card').innerText(), /3 days ago; published (2|3) min ago/)
    await fixture.app.publish([{ ...incident, status: 'retracted', version: 2 }], 'incident.retracted')
  })

  it('lets arrivals wait behind a button while the list is scrolled', async () => {
    await using opened = await fixture.openSavingData()
    const { page } = opened
    await until(async () => (await headline(page)).startsWith('61 incidents'), 'the counts')
    await until(() => fixture.streams.size > 0, 'the stream')
    await page.locator('.panel-scroll').evaluate((element) => element.scrollTo(0, 300))
    const before = await firstRow(page)
    const top = await page.locator('.rows .row').nth(5).boundingBox()
    await arrive()
    await arrive()
    await page.getByRole('button', { name: '2 new' }).waitFor()
    await until(async () => (await headline(page)).startsWith('63 incidents'), 'the headline counts them')
    assert.equal(await firstRow(page), before)
    // The button itself is the only thing above the rows that may appear; it is laid over them.
    assert.equal((await page.locator('.rows .row').nth(5).boundingBox())!.y, top!.y)
    await page.getByRole('button', { name: '2 new' }).click()
    await until(async () => (await firstRow(page)).startsWith(`Arrival ${number}`), 'the newest on top')
    assert.equal(await page.locator('.panel-scroll').evaluate((element) => element.scrollTop), 0)
  })

  it('lets them wait under the finger on a phone', async () => {
    await using opened = await fixture.open('/', PHONE)
    const { page } = opened
    await page.locator('.sheet').waitFor()
    if (await page.locator('.sheet.peek').count()) await page.locator('.sheet-handle').click()
    await until(() => fixture.streams.size > 0, 'the stream')
    await until(async () => (await headline(page)).startsWith('63 incidents'), 'the counts')
    const before = await firstRow(page)
    await arrive()
    await page.getByRole('button', { name: '1 new' }).waitFor()
    assert.equal(await firstRow(page), before)
  })

  it('goes back with Back: filters one by one, a card to its list, a playback to where it began', async () => {
    await using opened = await fixture.openSavingData('/?span=7d')
    const { page } = opened
    await page.getByRole('button', { name: /^High/ }).click()
    await until(() => address(page) === '?span=7d&severity=high', 'the filter')
    await page.locator('.rows .row').nth(1).click()
    await page.waitForSelector('.card h2')
    await page.getByRole('button', { name: 'All incidents' }).click()
    await page.waitForSelector('.rows')
    await until(() => address(page) === '?span=7d&severity=high', 'the list again')
    await page.goBack()
    await until(() => address(page) === '?span=7d', 'the filter undone, not the card again')
    await page.waitForSelector('.brush-area')
    await page.getByRole('button', { name: 'Play through time' }).click()
    await until(() => /from=/.test(address(page)), 'the first step')
    const first = address(page)
    await until(() => address(page) !== first, 'the next step')
    await page.goBack()
    await until(() => address(page) === '?span=7d', 'before the playback')
    await page.waitForFunction(() => document.querySelector('.play')?.getAttribute('aria-pressed') === 'false')
  })

  it('closes a card that was opened by a link without leaving the page', async () => {
    await using opened = await fixture.openSavingData(`/incidents/${minutesAgo(1, 5).id}`)
    const { page } = opened
    await page.getByRole('button', { name: 'All incidents' }).click()
    await page.waitForSelector('.rows .row')
    await until(() => new URL(page.url()).pathname === '/', 'the address of the list')
  })

  it('reads a mistyped state as the nearest one, says so, and corrects the address', async () => {
    await using opened = await fixture.openSavingData('/?state=Lagoss&span=7d')
    const { page } = opened
    await page.getByText('“Lagoss” was read as Lagos.').waitFor()
    await until(async () => (await rows(page)) === 1, 'the one in Lagos')
    assert.equal(address(page), '?state=NG-LA&span=7d')
    await page.getByRole('button', { name: 'Lagos', exact: true }).waitFor()
  })

  it('names the filters of a link, never their codes, even if nothing matches', async () => {
    await using opened = await fixture.openSavingData('/?state=NG-BO&lga=NG-BO-GWOZA&span=24h')
    const { page } = opened
    await page.getByRole('button', { name: 'Borno', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Gwoza', exact: true }).waitFor()
    await showAddress(page, '/?state=NG-KN')
    await page.getByRole('button', { name: 'Kano', exact: true }).waitFor()
    assert.doesNotMatch(await page.locator('.filters').innerText(), /NG-/)
  })

  it('shows that it is loading, never the old totals as new ones', async () => {
    await using opened = await fixture.openSavingData()
    const { page } = opened
    await until(async () => (await headline(page)).includes('incidents,'), 'the counts')
    const before = await headline(page)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await routeNow(page, '**/v1/stats?**', async (route) => {
      await released
      await route.continue()
    })
    await page.getByRole('radio', { name: '24 h' }).check({ force: true })
    for (const part of ['.list-head', '.severities', '.timeline', '.rows'])
      await page.waitForSelector(`${part}[aria-busy=true]`)
    assert.equal(await headline(page), before, 'the old total keeps its own window')
    assert.equal(await page.locator('.list-head').getAttribute('data-old'), 'true')
    release()
    // “since 17 November, 14:00”; in the last hour of a day in Lagos it is that day.
    await until(async () => !(await headline(page)).includes('–'), 'the 24 hours')
    await until(async () => (await page.locator('[aria-busy=true]').count()) === 0, 'everything is loaded')
  })

  it('restricts list, headline and timeline to a box in the address, which a chip removes', async () => {
    await using opened = await fixture.openSavingData('/?box=3.35,6.6,3.35,6.6')
    const { page } = opened
    await until(async () => (await headline(page)).startsWith('1 incident,'), 'the one there')
    const chip = page.getByRole('button', { name: '1 incident at this point' })
    await chip.waitFor()
    assert.match(await page.locator('.bars').getAttribute('aria-label').then(String), /^1 incident /)
    await chip.click()
    await until(async () => Number((await headline(page)).split(' ')[0]) > 60, 'all of them')
  })
})
