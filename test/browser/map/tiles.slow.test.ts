import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../support/app.ts'
import { browserMissing } from '../../support/browser.ts'
import { type BrowserFixture, LAGOS, minutesAgo, startBrowserFixture, waitForMap } from '../browser-fixture.ts'

/** Around Kano: every tile in sight has an incident, so none is empty. */
const grid = Array.from({ length: 63 }, (_, index) => [
  11.7 + Math.floor(index / 9) * 0.1,
  8.1 + (index % 9) * 0.1,
]) as [number, number][]

/** Requests of a service worker cannot be held or refused by the test. */
const STILL = { reducedMotion: 'reduce', serviceWorkers: 'block' } as const

describe('the tiles of the map', { skip: browserMissing() ?? false, timeout: 300_000 }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
    await fixture.app.publish([
      ...[1, 2, 3].map((number) => minutesAgo(30, number, { ...LAGOS, severity: 'low' })),
      ...[4, 5].map((number) => minutesAgo(30, number, { ...LAGOS, severity: 'critical' })),
      ...grid.map(([lat, lng], index) => minutesAgo(30, 100 + index, { lat, lng })),
    ])
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const map = (page: Page) => page.locator('.map')
  const notBusy = (page: Page) =>
    until(async () => (await map(page).getAttribute('aria-busy')) === 'false', 'a map that is not busy')
  const marks = (page: Page, expected: string) =>
    until(async () => (await map(page).getAttribute('data-marks')) === expected, `the marks ${expected}`)
  const overLagos = '/?at=11/6.6/3.35'

  it('are not busy for ever when an incident elsewhere has changed none of them', async () => {
    await using opened = await fixture.open('/?at=11/12/8.5', STILL)
    const { page } = opened
    await waitForMap(page)
    await notBusy(page)
    await until(() => fixture.streams.size > 0, 'the stream')
    for (const number of [10, 11, 12, 13]) {
      await fixture.app.publish([minutesAgo(0, number, { lat: 4.8, lng: 7 })])
      const { seq } = await fixture.app.store.events.head()
      await page.locator(`.list[data-seq="${seq}"]`).waitFor()
      await notBusy(page)
    }
  })

  it('are loaded at their own zoom again after they have failed', async () => {
    await using opened = await fixture.open(overLagos, STILL)
    const { page } = opened
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    await waitForMap(page)
    await marks(page, '5')
    await page.route('**/v1/tiles/**', (route) => route.fulfill({ status: 503 }))
    await page.getByRole('button', { name: /^Critical/ }).click()
    await page.getByText('Behind').waitFor()
    const healed: string[] = []
    page.on('response', (response) => {
      if (response.ok() && response.url().includes('/v1/tiles/11/')) healed.push(response.url())
    })
    await page.unroute('**/v1/tiles/**')
    await notBusy(page)
    await marks(page, '2')
    assert.ok(healed.length > 0, 'tiles of the level that is shown')
    assert.deepEqual(errors, [])
  })

  it('are those of the last question, even when those of the one before were still on their way', async () => {
    await using opened = await fixture.open(overLagos, STILL)
    const { page } = opened
    await waitForMap(page)
    await marks(page, '5')
    const held: (() => void)[] = []
    await page.route('**/v1/tiles/**', async (route) => {
      // The answer is made when it is asked for, and arrives late.
      const response = await route.fetch()
      if (!route.request().url().includes('severity=critical&')) await new Promise<void>((send) => held.push(send))
      await route.fulfill({ response })
    })
    // A place whose tiles are not there yet, so that MapLibre has nothing to show for them.
    await page.evaluate(() => {
      history.pushState(null, '', '/?at=13/6.6/3.35&severity=low')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await until(() => held.length > 0, 'tiles on their way')
    await page.evaluate(() => {
      history.pushState(null, '', '/?at=13/6.6/3.35&severity=critical')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await page.locator('.list[data-query*="severity=critical"]').waitFor()
    for (const send of held) send()
    await notBusy(page)
    await marks(page, '2')
  })
})
