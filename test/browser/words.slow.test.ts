import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../support/app.ts'
import { browserMissing } from '../support/browser.ts'
import { incidentId } from '../support/incident.ts'
import { type BrowserFixture, LAGOS, minutesAgo, startBrowserFixture, waitForMap } from './browser-fixture.ts'

const missing = browserMissing()

describe('words and sharing in a browser', { skip: missing ?? false, timeout: 300_000 }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
    await fixture.app.publish([
      minutesAgo(60, 1, { ...LAGOS, confidence: 0.52 }),
      minutesAgo(90, 2, { confidence: 0.82, lat: 10.5, lng: 7.4 }),
    ])
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  it('puts the confidence into words, and shows the number with its reasons after a tap', async () => {
    await using opened = await fixture.open(`/incidents/${incidentId(1)}`)
    const { page } = opened
    await page.getByRole('heading', { name: 'Confidence: Unconfirmed elsewhere' }).waitFor()
    assert.equal(await page.getByText('52 of 100').isVisible(), false)
    await page.locator('.confidence-details summary').click()
    assert.ok(await page.getByText('52 of 100').isVisible())
    assert.ok((await page.locator('.reasons li').count()) > 0)
  })

  it('explains severity, precision and confidence; Escape closes and the focus returns', async () => {
    await using opened = await fixture.open(`/incidents/${incidentId(2)}`)
    const { page } = opened
    for (const word of ['Severity', 'Precision of the place', 'Confidence']) {
      const button = page.getByRole('button', { name: `What does this mean? ${word}` })
      await button.click()
      const dialog = page.getByRole('dialog', { name: word })
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      assert.ok(await button.evaluate((element) => element === document.activeElement))
    }
  })

  it('changes the language by the menu, keeps it, and marks a draft as one', async () => {
    await using opened = await fixture.open()
    const { page } = opened
    await page.locator('[popovertarget=main-menu]').click()
    await page.locator('#language').selectOption('ha')
    await page.waitForFunction(() => document.documentElement.lang === 'ha')
    await page.locator('.panel .draft-note').waitFor()
    await page.goto(`${fixture.url}/?span=7d`)
    await page.waitForFunction(() => document.documentElement.lang === 'ha')
    await page.goto(`${fixture.url}/?lang=en`)
    await page.waitForFunction(() => document.querySelector('.panel') !== null)
    assert.equal(await page.locator('.draft-note').count(), 0)
  })

  it('shares with the phone’s own sheet, and copies the link where there is none', async () => {
    const path = `/incidents/${incidentId(2)}`
    await using opened = await fixture.open(path, {}, (page) =>
      page.addInitScript(() => {
        const shared: ShareData[] = []
        Object.assign(window, { shared })
        navigator.share = async (data) => void shared.push(data!)
      }),
    )
    await opened.page.getByRole('button', { name: 'Share with an app' }).click()
    const shared = await opened.page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared)
    assert.ok(shared[0]!.url!.endsWith(path))
    await using plain = await fixture.open(path, {}, (page) =>
      page.addInitScript(() => Object.assign(Navigator.prototype, { share: undefined })),
    )
    await plain.page.getByRole('button', { name: 'Copy link' }).waitFor()
  })

  it('has the map’s box in the shared API call, and a briefing of the same view', async () => {
    await using opened = await fixture.open('/?at=8/10.5/7.4&severity=high')
    const { page } = opened
    await waitForMap(page)
    await page.getByRole('button', { name: 'Share this view' }).click()
    const text = () => page.getByRole('dialog').innerText()
    await until(
      async () => /curl '[^']+\/v1\/incidents\?[^']*bbox=[\d.]+,[\d.]+,[\d.]+,[\d.]+/.test(await text()),
      'the box',
    )
    const briefing = await page.getByRole('link', { name: 'Open the briefing' }).getAttribute('href')
    assert.match(briefing!, /^\/briefing\?severity=high&at=8/)
  })

  it('opens the card over an embedded map of 340 pixels', async () => {
    await using opened = await fixture.open('/?embed=1&at=9/10.5/7.4', { viewport: { width: 340, height: 480 } })
    const { page } = opened
    await waitForMap(page)
    const card = page.locator('.embedded-panel .card')
    await until(async () => {
      await page.mouse.click(170, 240)
      return card.isVisible()
    }, 'the card')
    const box = (await page.locator('.embedded-panel').boundingBox())!
    assert.ok(box.x >= 0 && box.x + box.width <= 340 && box.height <= 480)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 340)
    await page.locator('.embedded-panel .back').click()
    await card.waitFor({ state: 'detached' })
  })
})
