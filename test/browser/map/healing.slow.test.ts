import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startTestApp, type TestApp, until } from '../../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../../support/browser.ts'
import { temporaryFolder } from '../../support/folder.ts'
import {
  axeViolations,
  type BrowserFixture,
  minutesAgo,
  routeNow,
  SMALL_DESKTOP,
  showAddress,
  startBrowserFixture,
  WITHOUT_WORKER,
  waitForMap,
  waitForPage,
  withCoarseMaps,
  withoutWebGl,
} from '../browser-fixture.ts'

const headline = async (page: Page) => (await page.locator('.list-head h1').innerText()).split(',')[0]
const pill = (page: Page) => page.locator('.live-pill strong').innerText()
const rows = (page: Page) => page.locator('.rows .row').count()

describe('the page after an outage', { skip: skipBrowser() }, () => {
  let service: RestartableService
  let browser: Browser
  let number = 0
  /** Two tests look at its map. */
  let opened: Awaited<ReturnType<typeof open>>
  const publish = async (count: number) => {
    await service.app.publish(Array.from({ length: count }, () => minutesAgo(1, ++number)))
  }
  /** Without the service worker: the outage is the service's, not the network's. */
  const open = async (path = '/', drawsMap = true) => {
    const context = await browser.newContext({
      ...WITHOUT_WORKER,
      viewport: SMALL_DESKTOP,
      reducedMotion: 'reduce',
    })
    await context.addInitScript(drawsMap ? withCoarseMaps : withoutWebGl)
    const page = await context.newPage()
    await page.goto(service.url + path)
    await waitForPage(page)
    return { page, [Symbol.asyncDispose]: () => context.close() }
  }
  const tilesOf = (asked: readonly string[]) => asked.filter((path) => path.startsWith('/v1/tiles/')).length
  before(async () => {
    service = await startRestartableService()
    browser = await sharedBrowser()
    await publish(3)
    opened = await open()
  })
  after(async () => {
    await releaseBrowser()
    await service?.[Symbol.asyncDispose]()
  })

  it('loads statistics, list and tiles again by itself once the service is back', async () => {
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
    const { page } = opened
    await routeNow(page, '**/v1/tiles/**', (route) => route.fulfill({ status: 503 }))
    await page.getByRole('button', { name: /^High/ }).click()
    await until(async () => (await pill(page)) === 'Behind', 'marks that are missing are not live')
    await page.unroute('**/v1/tiles/**')
    await until(async () => (await pill(page)) === 'Live', 'the marks are there')
  })

  it('forgets what the service has lost, and shows what it has in its place', async () => {
    const { page } = opened
    const summary = () => page.locator('.card h2').innerText()
    const shown = minutesAgo(2, ++number, { summary: 'Eleven people were abducted.' })
    await service.app.publish([shown])
    const saved = await service.saveDatabase()
    await showAddress(page, `/incidents/${shown.id}`)
    await until(async () => (await pill(page)) === 'Live', 'live')
    await service.app.publish([{ ...shown, version: 2, summary: 'Twelve people were abducted.' }], 'incident.updated')
    await until(async () => /Twelve/.test(await summary()), 'the correction')
    const { seq } = service.app.archive.head
    await until(() => tilesOf(service.asked.filter((path) => path.includes(`min_seq=${seq}`))) > 0, 'its tiles')
    await until(async () => (await page.locator('.map').getAttribute('aria-busy')) === 'false', 'all of them')
    const tilesBefore = tilesOf(service.asked)
    await service.putBack(saved, async (app) => {
      await app.store.chain.fork(seq, Date.now())
      await app.publish([minutesAgo(1, ++number)])
      assert.equal(app.archive.head.seq, seq, 'another event has the number')
    })
    await until(async () => /Eleven/.test(await summary()), 'the incident as it is')
    await page.getByRole('button', { name: 'All incidents' }).click()
    await until(async () => (await headline(page)) === '7 incidents', 'the new one')
    assert.equal(await page.getByText('Twelve people').count(), 0)
    await until(async () => (await pill(page)) === 'Live', 'live again')
    await until(() => tilesOf(service.asked) > tilesBefore, 'tiles of the same number')
    // Lost, with nothing in its place.
    await service.putBack(saved, async (app) => void (await app.store.chain.fork(seq, Date.now())))
    await until(async () => (await headline(page)) === '6 incidents', 'one less')
    const leastSeq = () =>
      /^\/v1\/stats\?.*min_seq=(\d+)/.exec(service.asked.findLast((path) => path.includes('/stats'))!)![1]
    await until(() => Number(leastSeq()) < seq, 'an event that is not there is not asked for')
  })

  for (const [status, sentence, drawsMap] of [
    [503, /has a problem/, true],
    [429, /Too many requests/, false],
  ] as const) {
    it(`heals ${status} at load, and offers a button while it waits`, async () => {
      service.refuse({ status, retryAfterSeconds: 600 })
      await using refused = await open('/?span=7d', drawsMap)
      const { page } = refused
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      assert.match(await page.locator('.failure').innerText(), sentence)
      assert.notEqual(await pill(page), 'Live')
      service.refuse(null)
      const asked = service.asked.length
      await page.getByRole('button', { name: 'Try again' }).click()
      await until(async () => (await headline(page)) === '6 incidents', 'the counts')
      assert.ok(service.asked.slice(asked).some((path) => path.startsWith('/v1/stats')))
      await until(async () => (await pill(page)) === 'Live', 'live')
    })
  }
})

/** A real service on a database file, behind an address that stays while the service does not. */
export interface RestartableService extends AsyncDisposable {
  readonly url: string
  readonly app: TestApp
  /** Every path that was asked for, in order. */
  readonly asked: string[]
  /** Stops the service; connections to its address are closed without an answer. */
  stop(): Promise<void>
  /** Starts it again on the same database. */
  start(): Promise<void>
  /** Returns the database as it is now; the service is restarted for it. */
  saveDatabase(): Promise<Buffer>
  /** Starts it again on an earlier database; `prepare` runs before it can be reached. */
  putBack(database: Buffer, prepare: (app: TestApp) => Promise<void>): Promise<void>
  /** Answers requests for the API with this status until it is null again. */
  refuse(answer: { status: number; retryAfterSeconds: number } | null): void
}

export async function startRestartableService(): Promise<RestartableService> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'incidents.db')
  const settings = {
    DATABASE_URL: `sqlite:${file}`,
    RATE_LIMIT_PUBLISHABLE: '100000',
    STREAMS_PER_ACCOUNT: '100',
  }
  let app: TestApp | null = await startTestApp(settings)
  let refusal: { status: number; retryAfterSeconds: number } | null = null
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    if (app === null) return response.destroy()
    if (refusal !== null && request.url!.startsWith('/v1/')) {
      response.writeHead(refusal.status, { 'retry-after': String(refusal.retryAfterSeconds) }).end()
      return
    }
    const headers: IncomingHttpHeaders = request.headers
    const forwarded = sendRequest(app.url + request.url, { method: request.method!, headers }, (reply) => {
      response.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(response)
      reply.on('error', () => response.destroy())
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: RestartableService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get app() {
      if (app === null) throw new Error('the service is stopped')
      return app
    },
    asked,
    async stop() {
      const stopped = app
      app = null
      server.closeAllConnections()
      await stopped?.[Symbol.asyncDispose]()
    },
    async start() {
      app = await startTestApp(settings)
    },
    async saveDatabase() {
      await service.stop()
      const database = await readFile(file)
      await service.start()
      return database
    },
    async putBack(database, prepare) {
      await service.stop()
      await rm(`${file}-wal`, { force: true })
      await writeFile(file, database)
      const started = await startTestApp(settings)
      await prepare(started)
      app = started
    },
    refuse(answer) {
      refusal = answer
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await app?.[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
  return service
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe('the map of an empty archive', { skip: skipBrowser() }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  for (const [what, options] of [
    ['a wide screen', {}],
    ['a phone', PHONE],
    ['a wide screen without JavaScript', { javaScriptEnabled: false }],
  ] as const)
    it(`says what it is and what its operator does next, on ${what}`, async () => {
      await using opened = await fixture.openSavingData('/', options)
      const { page, problems } = opened
      await page.getByRole('heading', { name: 'Nothing has been published yet' }).waitFor()
      assert.ok(await page.getByText('npx incident-feed import ucdp events.csv').isVisible())
      assert.equal(await page.getByRole('link', { name: /Open the desk/ }).getAttribute('href'), '/desk')
      assert.equal(await page.getByText('No incident matches').count(), 0)
      assert.deepEqual(problems, [])
    })

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has no fault that axe finds, ${colorScheme}`, async () => {
      await using opened = await fixture.openSavingData('/', { colorScheme })
      const { page } = opened
      await page.getByRole('heading', { name: 'Nothing has been published yet' }).waitFor()
      assert.deepEqual(await axeViolations(page, { within: '.empty-archive' }), [])
    })

  it('makes way for the list when the first incident is published', async () => {
    await using opened = await fixture.openSavingData()
    const { page } = opened
    await page.getByRole('heading', { name: 'Nothing has been published yet' }).waitFor()
    await fixture.app.publish([minutesAgo(1, 1)])
    await page.locator('.rows .row').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Nothing has been published yet' }).count(), 0)
  })
})
