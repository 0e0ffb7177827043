import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Incident } from '../../../src/domain/incident.ts'
import { until } from '../../support/app.ts'
import { skipBrowser } from '../../support/browser.ts'
import { anIncident } from '../../support/incident.ts'
import {
  type BrowserFixture,
  LAGOS,
  minutesAgo,
  routeNow,
  showAddress,
  startBrowserFixture,
} from '../browser-fixture.ts'

const SAME_POINT = 384
/** Known only to their state, in the middle of Borno. */
const BORNO: Partial<Incident> = {
  state: 'Borno',
  lga: null,
  lat: 11.85,
  lng: 12.9,
  location: { ...anIncident().location, precision: 'state', radius_km: 160, state_code: 'NG-BO', lga_code: null },
}

/** Around Kano: every tile in sight has an incident, so none is empty. */
const grid = Array.from({ length: 63 }, (_, index) => [
  11.7 + Math.floor(index / 9) * 0.1,
  8.1 + (index % 9) * 0.1,
]) as [number, number][]
/** In no view of the other tests. */
const YOLA: Partial<Incident> = { ...LAGOS, lat: 9.2, lng: 12.5 }

describe('the marks of the map, and its tiles', { skip: skipBrowser() }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
    await fixture.app.publish([
      ...Array.from({ length: SAME_POINT }, (_, number) => minutesAgo(60 + number, number)),
      ...[0, 0.3].map((east, index) => minutesAgo(30, 400 + index, { ...LAGOS, lng: 3.35 + east })),
      ...[410, 411].map((number) => minutesAgo(30, number, BORNO)),
      ...[601, 602, 603].map((number) => minutesAgo(30, number, { ...YOLA, severity: 'low' })),
      ...[604, 605].map((number) => minutesAgo(30, number, { ...YOLA, severity: 'critical' })),
      ...grid.map(([lat, lng], index) => minutesAgo(30, 700 + index, { lat, lng })),
    ])
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const marksOf = (page: Page, expected: string) =>
    until(
      async () => (await page.locator('.map').getAttribute('data-marks')) === expected,
      `the marks ${expected} on a map that has drawn everything`,
    )
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
  const clickMap = async (page: Page, dx = 0, dy = 0) => {
    const box = (await page.locator('.map').boundingBox())!
    await page.mouse.click(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy)
  }
  const at = (zoom: number, { lat, lng }: Partial<Incident>) => `/?at=${zoom}/${lat}/${lng}`

  it('shows 384 incidents at one point as "384" at every zoom, and opens them as a list', async () => {
    const { page, problems } = await fixture.showMap(at(8, anIncident()))
    for (let zoom = 8; zoom <= 15; zoom++) {
      if (zoom > 8) {
        await page.getByRole('button', { name: 'Zoom in' }).click()
        await until(() => Math.round(Number(parameter(page, 'at')?.split('/')[0])) === zoom, `zoom ${zoom}`)
      }
      await marksOf(page, String(SAME_POINT))
    }
    await clickMap(page)
    await until(() => parameter(page, 'box') !== null, 'the box in the address')
    const [west, south, east, north] = parameter(page, 'box')!.split(',').map(Number) as [
      number,
      number,
      number,
      number,
    ]
    const { lat, lng } = anIncident()
    assert.ok(west <= lng && lng <= east && south <= lat && lat <= north)
    await page.getByText(`${SAME_POINT} incidents at this point`).first().waitFor()
    assert.deepEqual(problems, [])
  })

  it('takes a cluster apart when it is clicked', async () => {
    const { page } = await fixture.showMap(at(4, { ...LAGOS, lng: 3.5 }))
    await until(
      async () => /\b2\b/.test((await page.locator('.map').getAttribute('data-marks')) ?? ''),
      'a cluster of 2',
    )
    await clickMap(page)
    await marksOf(page, '1 1')
    assert.equal(parameter(page, 'box'), null)
  })

  it('draws incidents known only to their state as a badge, and hatches the state under the pointer', async () => {
    const { page } = await fixture.showMap(at(7, BORNO))
    await marksOf(page, '2')
    const box = (await page.locator('.map').boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    // Within Borno, beside the badge.
    const clip = { x: x - 70, y: y - 70, width: 40, height: 40 }
    await page.mouse.move(box.x + 5, box.y + 5)
    const plain = await page.screenshot({ clip })
    await page.mouse.move(x, y)
    await until(async () => !plain.equals(await page.screenshot({ clip })), 'the hatched state')
    await page.mouse.move(box.x + 5, box.y + 5)
    await until(async () => plain.equals(await page.screenshot({ clip })), 'the plain state')
  })

  it('lets a new incident pulse at its own place', async () => {
    const recordPulses = () => {
      const centres: number[][] = []
      Object.assign(globalThis, { pulseCentres: centres })
      const record = () => {
        const box = document.querySelector('.pulse')?.getBoundingClientRect()
        if (box === undefined) return
        centres.push([box.x + box.width / 2, box.y + box.height / 2])
        requestAnimationFrame(record)
      }
      // The first position counts: it is measured as soon as the pulse is in the page.
      new MutationObserver(record).observe(document, { childList: true, subtree: true })
    }
    const { page } = await fixture.showMap(at(9, LAGOS))
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.evaluate(recordPulses)
    await marksOf(page, '1 1')
    await until(() => fixture.streams.size > 0, 'the stream')
    await fixture.app.publish([minutesAgo(0, 500, LAGOS)])
    const centres = () =>
      page.evaluate(() => (globalThis as unknown as { pulseCentres: [number, number][] }).pulseCentres)
    await until(async () => (await centres()).length > 0, 'a frame with the pulse')
    const box = (await page.locator('.map').boundingBox())!
    for (const [x, y] of await centres()) {
      const distance = Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2)
      assert.ok(distance < 3, `${distance} pixels from its place`)
    }
  })

  const map = (page: Page) => page.locator('.map')
  const notBusy = (page: Page) =>
    until(async () => (await map(page).getAttribute('aria-busy')) === 'false', 'a map that is not busy')
  const overYola = '/?at=11/9.2/12.5'

  it('has tiles that are not busy for ever when an incident elsewhere has changed none of them', async () => {
    const { page } = await fixture.showMap('/?at=11/12/8.5')
    await notBusy(page)
    await until(() => fixture.streams.size > 0, 'the stream')
    for (const number of [810, 811, 812, 813]) {
      await fixture.app.publish([minutesAgo(0, number, { lat: 4.8, lng: 7 })])
      const { seq } = await fixture.app.store.events.head()
      await page.locator(`.list[data-seq="${seq}"]`).waitFor()
      await notBusy(page)
    }
  })

  it('has tiles that are loaded at their own zoom again after they have failed', async () => {
    const { page } = await fixture.showMap(overYola)
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    await marksOf(page, '5')
    await routeNow(page, '**/v1/tiles/**', (route) => route.fulfill({ status: 503 }))
    await page.getByRole('button', { name: /^Critical/ }).click()
    await page.getByText('Behind').waitFor()
    const healed: string[] = []
    page.on('response', (response) => {
      if (response.ok() && response.url().includes('/v1/tiles/11/')) healed.push(response.url())
    })
    await page.unroute('**/v1/tiles/**')
    await notBusy(page)
    await marksOf(page, '2')
    assert.ok(healed.length > 0, 'tiles of the level that is shown')
    assert.deepEqual(errors, [])
  })

  it('has tiles that are those of the last question, even when those of the one before were still on their way', async () => {
    const { page } = await fixture.showMap(overYola)
    await marksOf(page, '5')
    const held: (() => void)[] = []
    await routeNow(page, '**/v1/tiles/**', async (route) => {
      // The answer is made when it is asked for, and arrives late.
      const response = await route.fetch()
      const body = await response.body()
      if (!route.request().url().includes('severity=critical&')) await new Promise<void>((send) => held.push(send))
      // Without a body, Playwright looks for that of the answer, which it may have let go by then.
      await route.fulfill({ response, body })
    })
    // A place whose tiles are not there yet, so that MapLibre has nothing to show for them.
    await showAddress(page, '/?at=13/9.2/12.5&severity=low')
    await until(() => held.length > 0, 'tiles on their way')
    await showAddress(page, '/?at=13/9.2/12.5&severity=critical')
    await page.locator('.list[data-query*="severity=critical"]').waitFor()
    for (const send of held) send()
    await notBusy(page)
    await marksOf(page, '2')
  })
})
