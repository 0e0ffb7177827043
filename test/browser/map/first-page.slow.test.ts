import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { syntheticIncidents } from '../../../src/demo/synthetic-incident.ts'
import { places } from '../../../src/geo/places.ts'
import { until } from '../../support/app.ts'
import { skipBrowser } from '../../support/browser.ts'
import {
  type BrowserFixture,
  minutesAgo,
  SMALL_DESKTOP,
  startBrowserFixture,
  waitForMap,
  waitForPage,
  withoutWebGl,
} from '../browser-fixture.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** The pixels of the map are compared. */
const SHARP = { deviceScaleFactor: 1 }
const WITH_WORKER = { serviceWorkers: 'allow' } as const
const DAY_MS = 86_400_000
const INCIDENTS = 200
const MAX_BYTES_BEFORE_TOUCH = 120_000

const stateOf = (page: Page) => page.locator('.map').getAttribute('data-state')
/** The incidents in the marks that are visible. */
const shownOnPicture = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<SVGGElement>('.svg-map > g')]
      .filter((group) => getComputedStyle(group).display !== 'none')
      .flatMap((group) => [...group.querySelectorAll('title')])
      .reduce((sum, { textContent }) => sum + Number(/^([\d,]+) incidents/.exec(textContent!)?.[1] ?? 1), 0),
  )
const withConnection = (connection: object) => (page: Page) =>
  page.addInitScript((value) => {
    Object.defineProperty(navigator, 'connection', { value, configurable: true })
  }, connection)

describe('the first page', { skip: skipBrowser() }, () => {
  let fixture: BrowserFixture
  const askedFor = (pattern: RegExp) => fixture.sent.some(({ path }) => pattern.test(path))
  before(async () => {
    fixture = await startBrowserFixture()
    const end = Date.now() - 60_000
    await fixture.app.publish([
      ...syntheticIncidents({ places, seed: 3, count: INCIDENTS, from: end - 20 * DAY_MS, until: end }),
    ])
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  for (const [what, options] of [
    ['a phone', PHONE],
    ['a wide screen', {}],
  ] as const)
    it(`shows the map and the list without JavaScript, on ${what}`, async () => {
      await using opened = await fixture.open('/', { ...options, javaScriptEnabled: false })
      const { page, problems } = opened
      assert.ok(await page.locator('.svg-map .land').isVisible())
      assert.ok(await page.locator('.plain-legend').isVisible())
      assert.equal(await page.locator('.rows .row').count(), 50)
      // Scripts of the test run all the same.
      assert.equal(await shownOnPicture(page), INCIDENTS)
      const link = page.locator('.svg-map > g a[href*="box="]:visible').first()
      const count = Number(/^\d+/.exec((await link.locator('title').textContent())!)![0])
      await page.goto(fixture.url + (await link.getAttribute('href')))
      assert.equal(await page.locator('.rows .row').count(), Math.min(50, count))
      assert.deepEqual(problems, [])
    })

  it('keeps the picture where WebGL is missing, follows the filters, and does not load the library', async () => {
    fixture.sent.length = 0
    await using opened = await fixture.open('/', {}, (page) => page.addInitScript(withoutWebGl))
    const { page, problems } = opened
    await page.getByText('This browser cannot draw the moving map').waitFor()
    assert.equal(await shownOnPicture(page), INCIDENTS)
    const rows = await page.locator('.rows .row').count()
    assert.equal(rows, 50)
    await page.getByRole('button', { name: /^Critical/ }).click()
    await page.waitForFunction(() => !document.querySelector('.map-picture.old'))
    const critical = Number((await page.locator('.severity').first().innerText()).replaceAll(/\D/g, ''))
    await until(async () => (await shownOnPicture(page)) === critical, 'the critical ones')
    assert.ok(!askedFor(/maplibre/), 'the library was loaded in vain')
    assert.deepEqual(problems, [])
  })

  /** Touches the map, which until then is a picture; the library is loaded then. */
  const touchPicture = async (page: Page) => {
    await until(() => askedFor(/^\/v1\/stats/), 'the statistics')
    await page.waitForTimeout(500)
    assert.equal(await stateOf(page), 'picture')
    assert.ok(!askedFor(/maplibre|states\.geojson|\/v1\/tiles/))
    await page.locator('.map-picture').click({ position: { x: 20, y: 20 } })
    await until(() => askedFor(/maplibre/), 'the library')
  }
  const touchMap = async (page: Page) => {
    await touchPicture(page)
    await page.waitForSelector('.map[data-state=ready]', { timeout: 60_000 })
    assert.equal(await page.locator('.svg-map').count(), 0)
  }

  for (const effectiveType of ['3g', '2g'])
    it(`loads the library only when the map is touched: ${effectiveType}`, async () => {
      fixture.sent.length = 0
      await using opened = await fixture.open('/', {}, withConnection({ saveData: false, effectiveType }))
      await touchPicture(opened.page)
    })

  it('loads the library only when the map is touched: Save-Data; no part of the map jumps then', async () => {
    fixture.sent.length = 0
    const connection = withConnection({ saveData: true, effectiveType: '4g' })
    await using opened = await fixture.open('/', { ...SHARP, viewport: SMALL_DESKTOP }, connection)
    const { page } = opened
    await page.waitForSelector('.svg-map[data-zoom]')
    await assertNoJump(page, () => touchMap(page))
  })

  it('is at most 120 kB on a phone before the map is touched, and the sheet lies at half until it is drawn', async (context) => {
    fixture.sent.length = 0
    await using opened = await fixture.open('/', { ...PHONE, ...SHARP, ...WITH_WORKER })
    const { page, problems } = opened
    await until(() => askedFor(/^\/v1\/stats/) && askedFor(/service-worker/), 'everything')
    await page.waitForTimeout(1000)
    const bytes = fixture.sent.reduce((sum, one) => sum + one.bytes, 0)
    context.diagnostic(`${bytes} bytes: ${fixture.sent.map((one) => `${one.path} ${one.bytes}`).join(', ')}`)
    assert.ok(bytes > 30_000 && bytes <= MAX_BYTES_BEFORE_TOUCH, `${bytes} bytes`)
    assert.equal(await page.locator('.sheet.half').count(), 1)
    const [picture, sheet] = [
      await page.locator('.svg-map .land').boundingBox(),
      await page.locator('.sheet').boundingBox(),
    ]
    assert.ok(picture!.y + picture!.height <= sheet!.y, 'all of Nigeria lies above the sheet')
    await page.waitForSelector('.svg-map[data-zoom]')
    await assertNoJump(page, () => waitForMap(page))
    await page.waitForSelector('.sheet.peek')
    assert.match(await page.locator('.peek-line').innerText(), new RegExp(`${INCIDENTS}`))
    assert.deepEqual(problems, [])
  })

  it('keeps the server’s page where the style cannot be loaded', async () => {
    await using context = await fixture.browser.newContext(PHONE)
    const page = await context.newPage()
    const failed = page.waitForEvent('pageerror')
    await page.route(/\.css$/, (route) => route.abort())
    await page.goto(fixture.url)
    assert.match((await failed).message, /\.css cannot be loaded/)
    assert.equal(await page.locator('.plain .rows .row').count(), 50)
    assert.ok(await page.locator('.plain .svg-map .land').isVisible())
  })

  it('covers no mark with a button, at the country’s corners either', async () => {
    await using corners = await startBrowserFixture()
    await corners.app.publish([
      // Lake Chad, Sokoto, Badagry, Calabar.
      minutesAgo(60, 1, { lat: 13.1, lng: 14.2 }),
      minutesAgo(60, 2, { lat: 13.7, lng: 5.3 }),
      minutesAgo(60, 3, { lat: 6.42, lng: 2.88 }),
      minutesAgo(60, 4, { lat: 4.95, lng: 8.33 }),
    ])
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [412, 823],
      [360, 740],
      [320, 568],
      [844, 390],
    ] as const) {
      const options = { ...(width < 900 ? PHONE : {}), viewport: { width, height } }
      await using opened = await corners.open('/', options, withConnection({ saveData: true }))
      await opened.page.waitForSelector('.svg-map[data-zoom]')
      assert.deepEqual(await coveredMarks(opened.page), { covered: [], marks: 4 }, `${width} × ${height}`)
    }
  })

  it('shows the last state without a connection and says from when it is; keeps no answer of the API', async () => {
    await using opened = await fixture.openSavingData('/', WITH_WORKER)
    const { page } = opened
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await page.context().setOffline(true)
    await page.reload()
    await page.getByText(/You are offline\. This is what the service showed on \d/).waitFor()
    await waitForPage(page)
    assert.equal(await page.locator('.rows .row').count(), 50)
    assert.equal(await shownOnPicture(page), INCIDENTS)
    const kept = await page.evaluate(async () => {
      const names = await caches.keys()
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return all.flat().map(({ url, headers }) => ({ path: new URL(url).pathname, key: headers.get('authorization') }))
    })
    assert.ok(kept.some(({ path }) => path === '/'))
    for (const { path, key } of kept) {
      assert.match(path, /^\/$|^\/assets\/|^\/incidents\//)
      assert.equal(key, null)
    }
    await page.goto(`${fixture.url}/?span=7d`).catch(() => {})
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
    await page.getByRole('link', { name: 'Open the saved map' }).click()
    await page.locator('.app .rows .row').first().waitFor()
  })

  it('can be read at 320 pixels, on its side, and with text of twice the size', async () => {
    for (const [viewport, fontSize] of [
      [{ width: 320, height: 568 }, null],
      [{ width: 844, height: 390 }, null],
      [{ width: 390, height: 844 }, '200%'],
    ] as const) {
      await using opened = await fixture.open('/', { ...PHONE, viewport })
      const { page } = opened
      await page.waitForSelector('.app .rows .row')
      if (fontSize)
        await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), fontSize)
      const outside = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.bar button, .spans label, .filter-button, .row, .list-head h1')]
          .filter((element) => {
            const { left, right, width } = element.getBoundingClientRect()
            return width > 0 && (left < -1 || right > innerWidth + 1) && !element.closest('.spans')
          })
          .map((element) => element.outerHTML.slice(0, 120)),
      )
      assert.deepEqual(outside, [], `${viewport.width} × ${viewport.height}, ${fontSize ?? 'normal text'}`)
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
      if (!fontSize) continue
      const size = await page
        .locator('.row-summary')
        .first()
        .evaluate((element) => getComputedStyle(element).fontSize)
      assert.equal(size, '30px')
    }
  })

  it('lets the keyboard skip to the list, on a phone too', async () => {
    for (const options of [{}, PHONE]) {
      await using opened = await fixture.openSavingData('/', options)
      const { page } = opened
      await page.waitForSelector('.app .rows .row')
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip-link')
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => document.activeElement?.id === 'list')
    }
  })
})

/** Fails if the land moves while `draw` replaces the picture by the map. */
async function assertNoJump(page: Page, draw: () => Promise<void>): Promise<void> {
  const before = await landEdges(page)
  await draw()
  await page.waitForTimeout(500)
  const moved = (await landEdges(page)).map((edge, index) => Math.abs(edge - before[index]!)).sort((a, b) => a - b)
  assert.ok(before.length > 50, `${before.length} edges`)
  const median = moved[moved.length >> 1]!
  assert.ok(median <= 2, `the country's edge moved by ${median} pixels`)
}

/** Finds by colour the pixels at which land begins and ends in each row of the map. */
async function landEdges(page: Page): Promise<number[]> {
  const image = (await page.screenshot()).toString('base64')
  return page.evaluate(async (encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', {
      // Else Chromium warns, and the page is to have no warnings.
      willReadFrequently: true,
    })!
    context.drawImage(bitmap, 0, 0)
    const scale = bitmap.width / innerWidth
    const { left, top, width, height } = document.querySelector('.map-frame')!.getBoundingClientRect()
    const edges: number[] = []
    for (let y = top; y < top + height; y += 4) {
      const { data } = context.getImageData(left * scale, y * scale, width * scale, 1)
      // The land of Nigeria, #f3f0e8: that of its neighbours differs, and only the map draws it.
      const isLand = Array.from({ length: data.length / 4 }, (_, pixel) =>
        [0xf3, 0xf0, 0xe8].every((value, part) => Math.abs(data[4 * pixel + part]! - value) < 3),
      )
      edges.push(isLand.indexOf(true) / scale, isLand.lastIndexOf(true) / scale)
    }
    return edges
  }, image)
}

/** The visible marks of the picture, and the buttons over them. */
function coveredMarks(page: Page): Promise<{ covered: string[]; marks: number }> {
  return page.evaluate(() => {
    const visible = (selector: string) =>
      [...document.querySelectorAll(selector)]
        .map((element) => ({ name: element.className, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0)
    const marks = visible('.svg-map > g a')
    const covered = marks.flatMap(({ box }) =>
      visible('.tool-buttons, .filter-button, .spans, .zoom, .sheet, .bar')
        .filter(({ box: over }) => box.left < over.right && box.right > over.left)
        .filter(({ box: over }) => box.top < over.bottom && box.bottom > over.top)
        .map(({ name }) => `${Math.round(box.x)},${Math.round(box.y)} lies under ${name}`),
    )
    return { covered, marks: marks.length }
  })
}

const KILOBYTE = 1000
const MAX_BYTES_BEFORE_LIST = 80 * KILOBYTE
const MAX_BYTES_TOTAL = 500 * KILOBYTE
const MAX_BYTES_OWN_SCRIPTS = 60 * KILOBYTE

describe('the weight of the map', { skip: skipBrowser() }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
    const until = Date.now()
    await fixture.app.publish([
      ...syntheticIncidents({ places, seed: 1, count: 500, from: until - 30 * DAY_MS, until }),
    ])
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const bytesOf = (paths: RegExp) =>
    fixture.sent.filter(({ path }) => paths.test(path)).reduce((total, { bytes }) => total + bytes, 0)
  const waitForResponse = (path: RegExp) => until(() => fixture.sent.some((one) => path.test(one.path)), String(path))

  it('shows the newest incidents after at most 80 KB, before MapLibre is loaded', async () => {
    fixture.sent.length = 0
    await using opened = await fixture.open('/', {}, (page) => page.route(/maplibre/, (route) => route.abort()))
    await until(async () => (await opened.page.locator('.app .rows .row').count()) === 50, 'the list')
    await waitForResponse(/^\/v1\/stats/)
    // Else it would count for the next page.
    await waitForResponse(/states\.geojson/)
    const bytes = bytesOf(/^\/$|\/(main|shared)-/)
    assert.ok(bytes > 10 * KILOBYTE && bytes <= MAX_BYTES_BEFORE_LIST, `${bytes} bytes`)
  })

  it('loads the library by itself on a fast line: at most 500 KB, at most 60 KB of them our own scripts', async (context) => {
    fixture.sent.length = 0
    const connection = withConnection({ saveData: false, effectiveType: '4g' })
    await using opened = await fixture.open('/', WITH_WORKER, connection)
    await opened.page.waitForSelector('.map[data-state=ready]', { timeout: 60_000 })
    for (const path of [/\/maplibre-gl-worker/, /^\/v1\/tiles/, /states\.geojson/, /group_by=day/])
      await waitForResponse(path)
    const own = bytesOf(/\/(main|shared|start)-.*\.js$/)
    const all = bytesOf(/./)
    context.diagnostic(
      `${all} bytes in total, ${own} of them our own scripts, ${bytesOf(/^\/$|\/(main|shared)-/)} before reading`,
    )
    assert.ok(own > 10 * KILOBYTE && own <= MAX_BYTES_OWN_SCRIPTS, `${own} bytes of our own scripts`)
    assert.ok(all > 300 * KILOBYTE && all <= MAX_BYTES_TOTAL, `${all} bytes in total`)
  })
})
