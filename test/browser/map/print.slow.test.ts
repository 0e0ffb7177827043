import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserMissing } from '../../support/browser.ts'
import { type BrowserFixture, LAGOS, minutesAgo, startBrowserFixture, waitForMap } from '../browser-fixture.ts'

/** A4 without margins, at 96 pixels an inch. */
const PAPER = { width: 794, height: 1123 }

describe('printing the map', { skip: browserMissing() ?? false, timeout: 300_000 }, () => {
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
    await using opened = await fixture.open('/?span=all', { colorScheme: 'light' })
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
