import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { CATEGORY_NAMES } from '../../../src/domain/taxonomy.ts'
import { english, loadLanguage } from '../../../src/i18n/translate.ts'
import { until } from '../../support/app.ts'
import { skipBrowser } from '../../support/browser.ts'
import { incidentId } from '../../support/incident.ts'
import {
  type BrowserFixture,
  LAGOS,
  minutesAgo,
  showAddress,
  startBrowserFixture,
  waitForMap,
} from '../browser-fixture.ts'

describe('words and sharing in a browser', { skip: skipBrowser() }, () => {
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
    await using opened = await fixture.openSavingData(`/incidents/${incidentId(1)}`)
    const { page } = opened
    await page.getByRole('heading', { name: 'Confidence: Unconfirmed elsewhere' }).waitFor()
    assert.equal(await page.getByText('52 of 100').isVisible(), false)
    await page.locator('.confidence-details summary').click()
    assert.ok(await page.getByText('52 of 100').isVisible())
    assert.ok((await page.locator('.reasons li').count()) > 0)
  })

  it('explains severity, precision and confidence; Escape closes and the focus returns', async () => {
    await using opened = await fixture.openSavingData(`/incidents/${incidentId(2)}`)
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

  it('explains the marks of the map at 320 and 1024 pixels, and shares its box in an API call and a briefing', async () => {
    await using opened = await fixture.open('/', { viewport: { width: 320, height: 700 } })
    const { page } = opened
    // On a phone the legend is covered until the map stands in place of its picture.
    await waitForMap(page)
    for (const width of [320, 1024]) {
      await page.setViewportSize({ width, height: 700 })
      await page.getByRole('button', { name: 'What the marks mean' }).click()
      const dialog = page.getByRole('dialog', { name: 'Marks on the map' })
      const text = await dialog.innerText()
      assert.match(
        text,
        /Critical[\s\S]*12 incidents near each other[\s\S]*\+2[\s\S]*place not known[\s\S]*Release or rescue/,
      )
      assert.equal(await dialog.locator('.mark-icon').count(), CATEGORY_NAMES.length + 2)
      const box = (await dialog.boundingBox())!
      assert.ok(box.x >= 0 && box.x + box.width <= width)
      await page.keyboard.press('Escape')
      // Nothing of the header is pushed out.
      const menu = (await page.locator('[popovertarget=main-menu]').boundingBox())!
      assert.ok(menu.width >= 44 && menu.x + menu.width <= width && menu.y < 44, JSON.stringify(menu))
    }
    await showAddress(page, '/?at=8/10.5/7.4&severity=high')
    await assertSharesBox(page)
  })

  it('speaks the chosen language on the switches, the pill and the legend, too', async () => {
    await using opened = await fixture.openSavingData('/?lang=pcm')
    const { page } = opened
    await page.getByRole('button', { name: 'Wetin the marks mean' }).waitFor()
    for (const text of ['What the marks mean', 'nothing yet']) assert.equal(await page.getByText(text).count(), 0)
    await page.getByRole('button', { name: 'Come near' }).waitFor()
    await page.getByRole('group', { name: 'How far back' }).waitFor()
  })

  it('changes the language by the menu, keeps it, and marks a draft as one', async () => {
    await using opened = await fixture.openSavingData()
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

  it('draws the picture of the map in the chosen language, first and after a change of the filters', async () => {
    const { translate } = await loadLanguage('ha')
    await using opened = await fixture.open('/', { viewport: { width: 390, height: 844 } })
    const { page } = opened
    const pictureIn = (label: string) =>
      page.locator(`.map-picture:not(.old) .svg-map[aria-label="${label}"]`).waitFor()
    await pictureIn(english('page.svg_map'))
    await page.locator('[popovertarget=main-menu]').click()
    await page.locator('#language').selectOption('ha')
    await pictureIn(translate('page.svg_map'))
    fixture.sent.length = 0
    await page.getByText(translate('map.span_7d'), { exact: true }).click()
    await until(() => fixture.sent.some(({ path }) => /^\/map\.svg\?span=7d&lang=ha$/.test(path)), 'the next picture')
    await pictureIn(translate('page.svg_map'))
  })

  it('shares with the phone’s own sheet, and copies the link where there is none', async () => {
    const path = `/incidents/${incidentId(2)}`
    await using opened = await fixture.openSavingData(path, {}, (page) =>
      page.addInitScript(() => {
        const shared: ShareData[] = []
        Object.assign(window, { shared })
        navigator.share = async (data) => void shared.push(data!)
      }),
    )
    await opened.page.getByRole('button', { name: 'Share with an app' }).click()
    const shared = await opened.page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared)
    assert.ok(shared[0]!.url!.endsWith(path))
    await using plain = await fixture.openSavingData(path, {}, (page) =>
      page.addInitScript(() => Object.assign(Navigator.prototype, { share: undefined })),
    )
    await plain.page.getByRole('button', { name: 'Copy link' }).waitFor()
  })

  it('sends the road in the shared API call', async () => {
    await using opened = await fixture.openSavingData('/?road=7.3,10.4;7.5,10.6&buffer_km=5')
    const { page } = opened
    await page.getByRole('button', { name: 'Share this view' }).click()
    const text = await page.getByRole('dialog').innerText()
    assert.match(text, /curl '[^']+\/v1\/incidents\/query'[\s\S]*"route"[\s\S]*"buffer_km": 5/)
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

/** The map's box is in the shared API call, and the briefing is of the same view. */
async function assertSharesBox(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Share this view' }).click()
  const text = () => page.getByRole('dialog').innerText()
  await until(
    async () => /curl '[^']+\/v1\/incidents\?[^']*bbox=[\d.]+,[\d.]+,[\d.]+,[\d.]+/.test(await text()),
    'the box',
  )
  const briefing = await page.getByRole('link', { name: 'Open the briefing' }).getAttribute('href')
  assert.match(briefing!, /^\/briefing\?severity=high&at=8/)
}

/** A4 without margins, at 96 pixels an inch. */
const PAPER = { width: 794, height: 1123 }

describe('printing the map', { skip: skipBrowser() }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
    await fixture.app.publish([
      minutesAgo(60, 1, LAGOS),
      ...Array.from({ length: 30 }, (_, number) =>
        minutesAgo(90 + number, 2 + number, { lat: 10.5, lng: 7.4, severity: 'critical' }),
      ),
    ])
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  it('puts the drawn map above headline and list', async () => {
    await using opened = await fixture.open('/?span=all', {
      colorScheme: 'light',
      deviceScaleFactor: 1,
      viewport: { width: 1100, height: 720 },
    })
    const { page } = opened
    await waitForMap(page)
    await page.waitForSelector('.map[aria-busy=false]')
    const drawn = imagesIn(await page.pdf({ format: 'A4' }))
    assert.ok(
      drawn.some(({ width, height }) => width > 600 && height > 400),
      JSON.stringify(drawn),
    )
    await showAsPrinted(page)
    await page.setViewportSize(PAPER)
    const map = (await page.locator('.map-print').boundingBox())!
    assert.ok(
      map.width > 500 && map.height > 300 && map.x >= 0 && map.x + map.width <= PAPER.width,
      JSON.stringify(map),
    )
    assert.ok(await hasManyColours(page), 'the map is blank')
    await assertListBelow(page, map.y + map.height)
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    assert.equal(await page.locator('.map-print').count(), 0)
  })

  it('puts the server’s picture there if MapLibre has not been loaded', async () => {
    await using opened = await fixture.open('/?span=all', { viewport: { width: 390, height: 800 } })
    const { page } = opened
    await page.waitForSelector('.map[data-state=picture]')
    await showAsPrinted(page)
    const map = (await page.locator('.map-picture .svg-map').boundingBox())!
    assert.ok(map.width > 350 && map.height > 250 && map.x >= 0 && map.width <= 390, JSON.stringify(map))
    assert.equal(await page.locator('.map-picture .zoom-5 text').first().textContent(), '30')
    assert.ok(await page.locator('.map-picture .zoom-5 text').first().isVisible())
    await assertListBelow(page, map.y + map.height)
  })

  it('puts the server’s picture there without JavaScript', async () => {
    await using opened = await fixture.open('/?span=all', { javaScriptEnabled: false })
    const { page } = opened
    await page.setViewportSize(PAPER)
    await page.emulateMedia({ media: 'print' })
    const map = (await page.locator('.svg-map').boundingBox())!
    assert.ok(map.width > 500 && map.height > 300, JSON.stringify(map))
    const list = (await page.locator('.rows').boundingBox())!
    assert.ok(list.y >= map.y + map.height)
    assert.ok(await page.getByRole('heading', { level: 1 }).isVisible())
  })

  it('is light on paper for readers of the dark theme', async () => {
    await using opened = await fixture.open('/', { viewport: { width: 390, height: 800 } }, (page) =>
      page.addInitScript(() => localStorage.setItem('theme', 'dark')),
    )
    await opened.page.waitForSelector('.row')
    await showAsPrinted(opened.page)
    const ink = await opened.page
      .locator('.row')
      .first()
      .evaluate((row) => getComputedStyle(row).color)
    assert.equal(ink, 'rgb(29, 33, 38)')
  })
})

async function showAsPrinted(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print' })
}

async function assertListBelow(page: Page, foot: number): Promise<void> {
  const headline = page.getByText('31 incidents').filter({ visible: true }).first()
  await headline.waitFor()
  const box = (await headline.boundingBox())!
  assert.ok(box.y >= foot, `the headline is at ${box.y}, the map ends at ${foot}`)
  const rows = await page.locator('.row').all()
  assert.equal(rows.length, 31)
  for (const row of [rows[0]!, rows.at(-1)!]) assert.ok((await row.boundingBox())!.height > 20)
}

/** Whether the printed picture has land, water and marks, not one colour. */
function hasManyColours(page: Page): Promise<boolean> {
  return page.locator('.map-print').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    const colours = new Set<number>()
    for (let at = 0; at < data.length; at += 4) colours.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!)
    return colours.size > 20
  })
}

/** The sizes of the images in a PDF. */
function imagesIn(pdf: Buffer): { width: number; height: number }[] {
  const text = pdf.toString('latin1')
  return [...text.matchAll(/\/Subtype\s*\/Image[^>]*?>>/g)].map(([entry]) => ({
    width: Number(/\/Width (\d+)/.exec(entry)?.[1]),
    height: Number(/\/Height (\d+)/.exec(entry)?.[1]),
  }))
}
