import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../support/browser.ts'
import { signInBrowser } from '../support/sign-in.ts'
import { assertAccessibleIn, looks, routeNow, WITHOUT_WORKER } from './browser-fixture.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 900 }
const TEXT = 'Gunmen abducted eleven people on the road out of Gusau.'
const MAX_PAGE_BYTES = 30_000

describe('the page /report', { skip: skipBrowser() }, () => {
  let app: TestApp
  let browser: Browser
  let context: BrowserContext
  /** Moved by tests without JavaScript: a form must be three seconds old. */
  let ahead = 0

  before(async () => {
    app = await startTestApp({ TIPS_PER_HOUR: '1000' }, { clock: () => Date.now() + ahead })
    browser = await sharedBrowser()
  })
  afterEach(() => context.close())
  after(async () => {
    await releaseBrowser()
    await app[Symbol.asyncDispose]()
  })

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    context = await browser.newContext({ ...WITHOUT_WORKER, viewport: PHONE, ...options })
    const page = await context.newPage()
    await page.goto(app.url + path)
    return page
  }

  const send = (page: Page) => page.locator('form button:not(.plain)').last().click()
  const referenceOn = (page: Page) => page.locator('code.key').textContent()

  /** The newest report of a tip, as editors see it. */
  async function newestTip() {
    const { text: editor } = await app.issue({ scopes: ['read', 'operate'] })
    const response = await app.get('/v1/desk/incidents?origin=tip&limit=200&duplicates=none', editor)
    const { data } = (await response.json()) as {
      data: { id: string; lat: number; lng: number; state: string; location: { place: string | null } }[]
    }
    return { count: data.length, tip: data[0]!, editor }
  }

  it('sends without JavaScript, asks about the place, and stores a second sending not again', async () => {
    const before = (await newestTip()).count
    const page = await open('/report', { javaScriptEnabled: false })
    assert.equal(await page.getByRole('button', { name: 'Pin it on a map' }).count(), 0)
    await page.getByLabel('What happened?').fill(TEXT)
    await page.getByLabel('Where?').fill('Gusauu')
    await page.getByLabel('How can we reach you?').fill('Amina')
    ahead += 5000
    await send(page)
    await page.getByText('Nothing was sent yet').waitFor()
    assert.equal(await page.getByLabel('What happened?').inputValue(), TEXT)
    await page.getByLabel('Gusau, Zamfara').check()
    await send(page)
    const reference = await referenceOn(page)
    assert.match(reference!, /^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/)
    await page.reload()
    assert.equal(await referenceOn(page), reference)
    const { count, tip } = await newestTip()
    assert.equal(count, before + 1)
    assert.equal(tip.state, 'Zamfara')
    await page.getByRole('link', { name: 'Add to a report' }).click()
    await page.getByLabel('Your reference number').fill(reference!.toLowerCase())
    await page.getByLabel('What is new?').fill('Two of them are free again.')
    ahead += 5000
    await send(page)
    await page.getByText('Thank you. It was added.').waitFor()
  })

  it('does the proof of work with JavaScript, and shows the answer without leaving the page', async () => {
    const before = (await newestTip()).count
    const page = await open('/report')
    const posted: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(request.postData() ?? '')
    })
    await page.getByLabel('What happened?').fill(TEXT)
    await page.getByLabel('Where?').fill('Gusau')
    await page.getByRole('button', { name: 'Send' }).dblclick()
    await page.getByText('Thank you. The desk has it.').waitFor()
    assert.equal(posted.length, 1, 'a double click sent twice')
    const solutions = new URLSearchParams(posted[0]).get('solutions')!
    assert.match(solutions, /^\d+(,\d+){7}$/)
    assert.equal((await newestTip()).count, before + 1)
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1')
  })

  it('keeps the text on a broken line, and sends it once the line is back', async () => {
    const before = (await newestTip()).count
    const page = await open('/report')
    await page.getByLabel('What happened?').fill(TEXT)
    await page.getByLabel('Where?').fill('Gusau')
    // The answer is lost after the service has stored the tip: the worst that a line can do.
    let lost = 0
    await routeNow(page, '**/report', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue()
      await route.fetch()
      lost++
      return route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('there is no connection').waitFor()
    assert.equal(await page.getByLabel('What happened?').inputValue(), TEXT)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you. The desk has it.').waitFor()
    assert.equal((await newestTip()).count, before + 1)
  })

  it("takes the phone's position, rounded to a kilometre, and forgets it again", async () => {
    const geolocation = { latitude: 12.170_123, longitude: 6.664_987 }
    const page = await open('/report', { geolocation, permissions: ['geolocation'] })
    await page.getByLabel('What happened?').fill(TEXT)
    const remove = page.getByRole('button', { name: 'Remove the point' })
    assert.equal(await remove.isVisible(), false)
    await page.getByRole('button', { name: 'Where I am now' }).click()
    await page.getByText('Point taken: 12.17, 6.66').waitFor()
    await remove.click()
    assert.equal(await page.locator('[name=lat]').inputValue(), '')
    await page.getByRole('button', { name: 'Where I am now' }).click()
    await page.getByText('Point taken').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you. The desk has it.').waitFor()
    const { tip } = await newestTip()
    assert.deepEqual([tip.lat, tip.lng, tip.state], [12.17, 6.66, 'Zamfara'])
  })

  it('says that the position cannot be found', async () => {
    const page = await open('/report', { permissions: [] })
    await page.getByRole('button', { name: 'Where I am now' }).click()
    await page.getByText('Your position could not be found').waitFor()
  })

  it('takes a pin by dragging the map, and by keys', async () => {
    const page = await open('/report')
    await page.getByLabel('What happened?').fill(TEXT)
    const pin = page.getByRole('button', { name: 'Pin it on a map' })
    await pin.click()
    const map = page.locator('.pin-map')
    await map.locator('text').first().waitFor()
    for (let count = 0; count < 3; count++) await page.getByRole('button', { name: 'Zoom in' }).click()
    const { x, y, width, height } = (await map.boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    // To the right: the cross comes to lie in the west.
    await page.mouse.move(x + width / 2 + 100, y + height / 2, { steps: 5 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Take this point' }).click()
    await page.getByText(/Point taken: .*, near /).waitFor()
    assert.equal(await map.count(), 0)
    const [lat, lng] = await Promise.all(['lat', 'lng'].map((name) => page.locator(`[name=${name}]`).inputValue()))
    assert.ok(Math.abs(Number(lat) - 9.15) < 0.01, `lat ${lat}`)
    assert.ok(Number(lng) > 8 && Number(lng) < 8.4, `lng ${lng}`)
    await pin.click()
    await map.focus()
    for (const key of ['-', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
    await until(async () => Number(await page.locator('[name=lat]').inputValue()) > 9.2, 'the point in the north')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you. The desk has it.').waitFor()
  })

  it('weighs little: the page and its script, and nothing else until the map is opened', async () => {
    const loaded: { path: string; bytes: number }[] = []
    context = await browser.newContext({ viewport: PHONE })
    const page = await context.newPage()
    page.on('response', async (response) => {
      const { pathname } = new URL(response.url())
      if (/\.(ico|svg|png|webmanifest)$/.test(pathname)) return
      loaded.push({ path: pathname, bytes: (await response.body()).length })
    })
    await page.goto(`${app.url}/report`, { waitUntil: 'networkidle' })
    assert.deepEqual(loaded.map(({ path }) => path.replace(/-[\w-]+\.js$/, '.js')).toSorted(), [
      '/assets/report.js',
      '/report',
    ])
    const bytes = loaded.reduce((sum, one) => sum + one.bytes, 0)
    assert.ok(bytes <= MAX_PAGE_BYTES, `${bytes} bytes`)
  })

  it('has nothing that axe complains about, and does not scroll sideways, on a phone and a desktop', async () => {
    const page = await open('/report')
    const wanted = [...looks(PHONE.width), [DESKTOP.width, 'dark']] as const
    const check = (what: string) => assertAccessibleIn(page, wanted, what)
    await check('the form')
    await page.getByRole('button', { name: 'Pin it on a map' }).click()
    await page.locator('.pin-map text').first().waitFor()
    await check('the map')
    await page.getByLabel('What happened?').fill(TEXT)
    await page.getByLabel('Where?').fill('Gusauu')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Nothing was sent yet').waitFor()
    await check('the questions')
    await page.getByLabel('Gusau, Zamfara').check()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('code.key').waitFor()
    await check('the answer')
    await page.goto(`${app.url}/report/add`)
    await check('the addition')
  })

  it('is linked from the map', async () => {
    const page = await open('/')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Report an incident' }).click()
    await page.waitForURL(`${app.url}/report`)
    await page.close()
    const plain = await open('/', { javaScriptEnabled: false })
    await plain.getByRole('link', { name: 'Report an incident' }).click()
    assert.equal(new URL(plain.url()).pathname, '/report')
  })

  it('shows the contact at the desk', async () => {
    const page = await open('/report', { viewport: DESKTOP })
    await page.getByLabel('What happened?').fill(TEXT)
    await page.getByLabel('Where?').fill('Gusau')
    await page.getByLabel('How can we reach you?').fill('Amina, 0803 123 4567')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you. The desk has it.').waitFor()
    const { tip } = await newestTip()
    await signInBrowser(context, app, 'editor')
    await page.goto(`${app.url}/desk?report=${tip.id}`)
    await page.getByText('Amina, 0803 123 4567').waitFor()
  })
})
