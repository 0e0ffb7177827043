import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { until } from '../../support/app.ts'
import { browserMissing, launchBrowser } from '../../support/browser.ts'
import { minutesAgo, waitForMap, waitForPage } from '../browser-fixture.ts'
import { type RestartableService, startRestartableService } from '../restartable-service.ts'

const missing = browserMissing()
const headline = async (page: Page) => (await page.locator('.list-head h1').innerText()).split(',')[0]
const pill = (page: Page) => page.locator('.live-pill strong').innerText()
const rows = (page: Page) => page.locator('.rows .row').count()

describe('the page after an outage', { skip: missing ?? false, timeout: 300_000 }, () => {
  let service: RestartableService
  let browser: Browser
  let number = 0
  const publish = async (count: number) => {
    await service.app.publish(Array.from({ length: count }, () => minutesAgo(1, ++number)))
  }
  /** Without the service worker: the outage is the service's, not the network's. */
  const open = async (path = '/') => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    })
    const page = await context.newPage()
    await page.goto(service.url + path)
    await waitForPage(page)
    return { page, [Symbol.asyncDispose]: () => context.close() }
  }
  const tilesOf = (asked: readonly string[]) => asked.filter((path) => path.startsWith('/v1/tiles/')).length
  before(async () => {
    service = await startRestartableService()
    browser = await launchBrowser()
    await publish(3)
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  it('loads statistics, list and tiles again by itself once the service is back', async () => {
    await using opened = await open()
    const { page } = opened
    await waitForMap(page)
    await until(async () => (await headline(page)) === '3 incidents', 'the three')
    await until(async () => (await pill(page)) === 'Live', 'live')
    await service.stop()
    // Another span must be loaded, and cannot be.
    await page.getByRole('radio', { name: '7 days' }).check({ force: true })
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    assert.notEqual(await pill(page), 'Live')
    assert.match(await page.locator('.failure').innerText(), /cannot be reached.*What you see is from/s)
    assert.equal(await page.locator('.rows').getAttribute('aria-busy'), 'true')
    await service.start()
    await publish(2)
    const tilesBefore = tilesOf(service.asked)
    await until(async () => (await headline(page)) === '5 incidents', 'the five')
    await until(async () => (await rows(page)) === 5, 'their rows')
    await until(async () => (await page.locator('.map').getAttribute('aria-busy')) === 'false', 'the marks')
    await until(async () => (await pill(page)) === 'Live', 'live again')
    assert.ok(tilesOf(service.asked) > tilesBefore, 'tiles were asked for again')
    assert.equal(await page.locator('.failure').count(), 0)
    assert.equal(await page.locator('[data-old=true]').count(), 0)
  })

  it('heals failed tiles even where list and counts did not fail', async () => {
    await using opened = await open()
    const { page } = opened
    await waitForMap(page)
    await page.route('**/v1/tiles/**', (route) => route.fulfill({ status: 503 }))
    await page.getByRole('button', { name: /^High/ }).click()
    await until(async () => (await pill(page)) === 'Behind', 'marks that are missing are not live')
    await page.unroute('**/v1/tiles/**')
    await until(async () => (await pill(page)) === 'Live', 'the marks are there')
  })

  for (const [status, sentence] of [
    [503, /has a problem/],
    [429, /Too many requests/],
  ] as const) {
    it(`heals ${status} at load, and offers a button while it waits`, async () => {
      service.refuse({ status, retryAfterSeconds: 600 })
      await using opened = await open('/?span=7d')
      const { page } = opened
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      assert.match(await page.locator('.failure').innerText(), sentence)
      assert.notEqual(await pill(page), 'Live')
      service.refuse(null)
      const asked = service.asked.length
      await page.getByRole('button', { name: 'Try again' }).click()
      await until(async () => (await headline(page)) === '5 incidents', 'the counts')
      assert.ok(service.asked.slice(asked).some((path) => path.startsWith('/v1/stats')))
      await until(async () => (await pill(page)) === 'Live', 'live')
    })
  }
})
