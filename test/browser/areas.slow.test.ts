import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { browserMissing } from '../support/browser.ts'
import { type BrowserFixture, LAGOS, minutesAgo, startBrowserFixture } from './browser-fixture.ts'

const DAY_MINUTES = 24 * 60
const PHONE = { width: 390, height: 844 }

describe('the pages of areas in a browser', { skip: browserMissing() ?? false, timeout: 300_000 }, () => {
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

  const complaintsAbout = async (page: Page) => {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }

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
      assert.deepEqual(await complaintsAbout(page), [], path)
      assert.equal(await page.locator('script[src]').count(), 0, path)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(overflow <= 0, `${path} is ${overflow} px too wide`)
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
