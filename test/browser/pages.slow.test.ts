import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../support/browser.ts'
import {
  assertAccessible,
  assertAccessibleIn,
  type BrowserFixture,
  LAGOS,
  minutesAgo,
  startBrowserFixture,
  WITHOUT_WORKER,
} from './browser-fixture.ts'

const DAY_MINUTES = 24 * 60
const PHONE = { width: 390, height: 844 }

describe('the pages of areas in a browser', { skip: skipBrowser() }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
    // Six years with an incident every fifth day in Chikun, and thirty in each of the last two
    // months.
    const days = Array.from({ length: 438 }, (_, number) => 5 * number + 62)
    const lately = Array.from({ length: 60 }, (_, number) => number)
    await fixture.app.publish([
      ...[...days, ...lately].map((day, number) => minutesAgo(day * DAY_MINUTES + 60, number + 1)),
      minutesAgo(90, 900, LAGOS),
    ])
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  it('compare with the usual without scripts, and axe has nothing to complain about', async () => {
    for (const [path, options] of [
      ['/nigeria/kaduna/chikun', { colorScheme: 'dark', viewport: PHONE }],
      ['/nigeria/kaduna?lang=yo', { colorScheme: 'dark', viewport: PHONE }],
      ['/nigeria/lagos/ikeja', { colorScheme: 'light' }],
      ['/nigeria', { colorScheme: 'light' }],
    ] as const) {
      // Axe is a script; the page's own are blocked, as without them.
      await using opened = await fixture.open(
        path,
        options,
        (page) => page.route(/\.js$/, (route) => route.abort()),
        (page) => page.locator('.area-trend').waitFor(),
      )
      const { page } = opened
      await assertAccessible(page, path)
      assert.equal(await page.locator('script[src]').count(), 0, path)
    }
    await using opened = await fixture.open('/nigeria/kaduna/chikun', { javaScriptEnabled: false })
    const text = await opened.page.locator('.area-trend').innerText()
    assert.match(text, /\d+ in \w+ \d{4}; \d+ to \d+ would be usual\./)
    assert.match(text, /so far this month; \d+ to \d+ would be usual for a whole month\./)
  })

  it('are led to by the map, which says the same about the chosen area', async () => {
    await using opened = await fixture.openSavingData('/?state=NG-KD')
    const { page, problems } = opened
    const area = page.locator('.list-area', { hasText: 'would be usual' })
    await area.waitFor({ timeout: 20_000 })
    assert.match(await area.innerText(), /^Kaduna: \d+ (in|so far).*would be usual.*More about Kaduna$/s)
    assert.deepEqual(problems, [])
    await area.getByRole('link').click()
    await page.locator('.area-trend').waitFor()
    assert.equal(new URL(page.url()).pathname, '/nigeria/kaduna')
  })
})

const DESKTOP = { width: 1440, height: 900 }
const MAX_BYTES = 60_000

describe('the pages of /docs', { skip: skipBrowser() }, () => {
  let app: TestApp
  let browser: Browser
  let context: BrowserContext

  before(async () => {
    app = await startTestApp()
    await app.publish([minutesAgo(5, 1), minutesAgo(10, 2)])
    browser = await sharedBrowser()
  })
  afterEach(() => context.close())
  after(async () => {
    await releaseBrowser()
    await app[Symbol.asyncDispose]()
  })

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    context = await browser.newContext({ ...WITHOUT_WORKER, viewport: DESKTOP, ...options })
    const page = await context.newPage()
    await page.goto(app.url + path, { waitUntil: 'networkidle' })
    return page
  }

  /** Presses `/` until it is understood: a quiet network does not say that the script has run. */
  const enterSearch = (page: Page) =>
    until(async () => {
      await page.keyboard.press('/')
      return page.locator('.search input').evaluate((input) => input === document.activeElement)
    }, 'the search')

  const visibleCode = (page: Page) => page.locator('.sample').last().locator('pre:visible').textContent()

  it('remember the language of the samples, without a shift on the next page', async () => {
    const page = await open('/docs/start')
    assert.match((await visibleCode(page))!, /^curl /)
    await page.locator('.sample').first().getByRole('link', { name: 'Python' }).click()
    assert.match((await visibleCode(page))!, /^import /)
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const state = globalThis as unknown as { shifted?: number }
          state.shifted = (state.shifted ?? 0) + (entry as unknown as { value: number }).value
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(`${app.url}/docs/filters`, { waitUntil: 'networkidle' })
    assert.match((await visibleCode(page))!, /^import /)
    assert.equal(await page.evaluate(() => (globalThis as unknown as { shifted?: number }).shifted ?? 0), 0)
  })

  it('are searched by keyboard', async () => {
    const page = await open('/docs')
    await enterSearch(page)
    await page.keyboard.type('next page cursor')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('option').count(), 0)
    await enterSearch(page)
    await page.keyboard.type('verifying sig')
    await page.getByRole('option', { name: 'Verifying a signature' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${app.url}/docs/webhooks#verifying-a-signature`)
    await enterSearch(page)
    await page.keyboard.type('zzz')
    await page.getByText('Nothing found').waitFor()
  })

  it('say that the search could not be loaded, and load it at the next letter', async () => {
    context = await browser.newContext({ ...WITHOUT_WORKER, viewport: DESKTOP })
    const page = await context.newPage()
    let answer = (route: Route) => route.continue()
    // Before the page: a route that is set while it is open misses what the page asks for next.
    await page.route('**/docs/search.json', (route) => answer(route))
    for (const fail of [
      (route: Route) => route.abort(),
      (route: Route) => route.fulfill({ status: 503, json: { code: 'busy' } }),
    ]) {
      answer = fail
      await page.goto(`${app.url}/docs`, { waitUntil: 'networkidle' })
      await enterSearch(page)
      // One letter: a second would share what the first loads, or fail after it.
      await page.keyboard.type('p')
      await page.getByText('The search could not be loaded. Check your connection').waitFor()
      assert.equal(await page.getByText('Nothing found').count(), 0)
      answer = (route) => route.continue()
      await page.keyboard.type('aging')
      await page.getByRole('option', { name: 'Paging' }).first().waitFor()
    }
  })

  it('send a read with the own key, which stays in the tab, and show the answer', async () => {
    const { text: key } = await app.issue()
    const page = await open('/docs')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.headers().authorization) sent.push(new URL(request.url()).origin)
    })
    const sample = page.locator('#first-list')
    await sample.getByRole('button', { name: 'Run it' }).click()
    await sample.getByLabel('Your key').fill(key)
    await page.keyboard.press('Enter')
    await sample.getByText('"next_cursor"').waitFor()
    assert.match((await sample.locator('.run-answer p').textContent())!, /^200/)
    assert.deepEqual(sent, [app.url])
    assert.equal(await page.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie), '{}')
    assert.equal(await page.locator('#get-a-key').getByRole('button', { name: 'Run it' }).count(), 0)
    await page.goto(`${app.url}/docs/start`)
    await page.locator('[data-run*="INCIDENT_ID"]').getByRole('button', { name: 'Run it' }).click()
    await page.getByLabel('INCIDENT_ID').fill(minutesAgo(5, 1).id)
    await page.keyboard.press('Enter')
    await page.getByText('"confidence_reasons"').waitFor()
  })

  it('show what is wrong with a key', async () => {
    const page = await open('/docs')
    const sample = page.locator('#first-list')
    await sample.getByRole('button', { name: 'Run it' }).click()
    await sample.getByLabel('Your key').fill('inf_live_wrong')
    await page.keyboard.press('Enter')
    await sample.getByText('401').first().waitFor()
  })

  it('are whole without JavaScript: another language by a link, the contents on a phone, no dead buttons', async () => {
    const page = await open('/docs/start', { javaScriptEnabled: false, viewport: PHONE })
    assert.equal(await page.getByRole('button', { name: 'Run it' }).count(), 0)
    assert.equal(await page.getByRole('combobox').isVisible(), false)
    await page.locator('.sample').first().getByRole('link', { name: 'PHP' }).click()
    assert.match((await visibleCode(page))!, /^<\?php/)
    await page.getByRole('button', { name: 'Contents' }).click()
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Webhooks' }).click()
    await page.waitForURL(`${app.url}/docs/webhooks`)
  })

  it('weigh little', async () => {
    context = await browser.newContext({ viewport: PHONE })
    const page = await context.newPage()
    let bytes = 0
    page.on('requestfinished', async (request) => {
      if (!/\.(ico|svg|png|webmanifest)$/.test(request.url())) bytes += (await request.sizes()).responseBodySize
    })
    await page.goto(`${app.url}/docs/reference/watches`, { waitUntil: 'networkidle' })
    assert.ok(bytes > 1000 && bytes <= MAX_BYTES, `${bytes} bytes`)
  })

  it('have nothing that axe complains about, and do not scroll sideways, on a desktop and a phone', async () => {
    const page = await open('/docs')
    const wanted = [
      [DESKTOP.width, 'light'],
      [PHONE.width, 'dark'],
    ] as const
    for (const path of ['/docs', '/docs/webhooks', '/docs/errors', '/docs/limits', '/docs/reference/keys']) {
      await page.goto(app.url + path)
      await assertAccessibleIn(page, wanted, path)
    }
  })
})
