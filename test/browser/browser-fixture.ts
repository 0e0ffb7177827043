import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type axe from 'axe-core'
import type { Browser, BrowserContextOptions, CDPSession, Page, Route } from 'playwright-core'
import type { Incident } from '../../src/domain/incident.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { releaseBrowser, sharedBrowser } from '../support/browser.ts'
import { anIncident } from '../support/incident.ts'

/**
 * The service and a browser with a proxy between them, which counts the bytes sent and can cut the
 * stream.
 */
export interface BrowserFixture extends AsyncDisposable {
  readonly app: TestApp
  readonly url: string
  readonly browser: Browser
  /** Open connections to the stream. */
  readonly streams: ReadonlySet<ServerResponse>
  /** The `Last-Event-ID` of each connection to the stream, in order. */
  readonly resumedFrom: (string | undefined)[]
  /** Responses sent to the browser; `bytes` counts the compressed body and the headers. */
  readonly sent: { readonly path: string; readonly bytes: number }[]
  /** False answers new connections to the stream with 503 and ends the open ones. */
  streaming: boolean
  /**
   * `prepare` runs before the page is opened; `ready` waits for it, for its scripts unless told
   * otherwise. Maps are coarse unless the options have a `deviceScaleFactor`.
   */
  open(path?: string, options?: BrowserContextOptions, prepare?: PageStep, ready?: PageStep): Promise<OpenPage>
  /**
   * A wide map that is drawn once for all tests of the fixture: shows the view of an address there,
   * as Back and Forward do. Drawing a map for the first time takes four seconds of processor time.
   */
  showMap(path?: string): Promise<OpenPage>
  /**
   * Opens the page as a reader who saves data sees it: with the picture of the map, and all else.
   * A test that does not look at the map opens the page so.
   */
  openSavingData(path?: string, options?: BrowserContextOptions, prepare?: PageStep): Promise<OpenPage>
}

type PageStep = (page: Page) => Promise<unknown>

export interface OpenPage extends AsyncDisposable {
  readonly page: Page
  /** Console errors and warnings, uncaught errors, and requests to other hosts. */
  readonly problems: string[]
}

export async function startBrowserFixture(settings: Record<string, string> = {}): Promise<BrowserFixture> {
  const app = await startTestApp({ RATE_LIMIT_PUBLISHABLE: '100000', STREAMS_PER_ACCOUNT: '100', ...settings })
  const browser = await sharedBrowser()
  const streams = new Set<ServerResponse>()
  const resumedFrom: (string | undefined)[] = []
  const sent: { path: string; bytes: number }[] = []
  let streaming = true
  let map: Promise<OpenPage> | null = null
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/v1/stream')) {
      if (!streaming) return response.writeHead(503).end()
      resumedFrom.push(request.headers['last-event-id'] as string | undefined)
      streams.add(response)
      response.on('close', () => streams.delete(response))
    }
    forward(app.url, request, response, (bytes) => sent.push({ path: request.url!, bytes }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    app,
    url,
    browser,
    streams,
    resumedFrom,
    sent,
    get streaming() {
      return streaming
    },
    set streaming(next) {
      streaming = next
      if (!next) for (const stream of streams) stream.destroy()
    },
    open: (path = '/', options = {}, prepare = nothing, ready = readyWith(options)) =>
      openPage(browser, url, path, options, prepare, ready),
    async showMap(path = '/') {
      map ??= openPage(browser, url, '/', { viewport: SMALL_DESKTOP }, nothing, waitForMap)
      const { page, problems } = await map
      problems.length = 0
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
      await page.mouse.move(0, 0)
      await showAddress(page, path)
      await page.waitForSelector('.map[data-state=ready]')
      return { page, problems, [Symbol.asyncDispose]: nothing }
    },
    openSavingData(path = '/', options = {}, prepare = nothing) {
      const save: PageStep = async (page) => {
        await savingData(page)
        await prepare(page)
      }
      return openPage(browser, url, path, options, save, readyWith(options))
    },
    async [Symbol.asyncDispose]() {
      await (await map)?.[Symbol.asyncDispose]()
      await releaseBrowser()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await app[Symbol.asyncDispose]()
    },
  }
}

/**
 * The whole page beside the smallest map: a frame of the map at 1,280 × 800 has half as many more
 * tiles to draw.
 */
export const SMALL_DESKTOP = { width: 1000, height: 640 }

/** Installing the service worker takes half a second of processor time in every context. */
export const WITHOUT_WORKER: BrowserContextOptions = { serviceWorkers: 'block' }

/**
 * Runs in the page before its scripts. Emulated WebGL takes seconds of processor time for each map:
 * a page that is not tested for its map is opened so.
 */
export function withoutWebGl(): void {
  const { getContext } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...options: unknown[]) {
    return kind.startsWith('webgl') ? null : Reflect.apply(getContext, this, [kind, ...options])
  } as typeof getContext
}

/**
 * Runs in the page before its scripts: draws maps as in a page that is zoomed out to a quarter.
 * They have a sixteenth of the pixels, which take most of the time of emulated WebGL; the page is
 * laid out as ever. A test that looks at the pixels opens a page with `deviceScaleFactor: 1`.
 */
export function withCoarseMaps(): void {
  Object.defineProperty(globalThis, 'devicePixelRatio', { get: () => 0.25 })
}

async function nothing(): Promise<void> {}

export function savingData(page: Page): Promise<unknown> {
  return page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ saveData: true }) }),
  )
}

/** Shows the view of an address in a page that is open, as Back and Forward do. */
export async function showAddress(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

function readyWith({ javaScriptEnabled = true }: BrowserContextOptions): PageStep {
  return javaScriptEnabled ? waitForPage : nothing
}

async function openPage(
  browser: Browser,
  url: string,
  path: string,
  options: BrowserContextOptions,
  prepare: PageStep,
  ready: PageStep,
): Promise<OpenPage> {
  const context = await browser.newContext({
    ...WITHOUT_WORKER,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  if (options.deviceScaleFactor === undefined) await context.addInitScript(withCoarseMaps)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    const isBlockedWorker = message.text() === 'Service Worker registration blocked by Playwright'
    if ((message.type() === 'error' || message.type() === 'warning') && !isBlockedWorker) problems.push(message.text())
  })
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== url) problems.push(`request to another host: ${request.url()}`)
  })
  await prepare(page)
  await page.goto(url + path)
  await ready(page)
  return { page, problems, [Symbol.asyncDispose]: () => context.close() }
}

function forward(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  onSent: (bytes: number) => void,
): void {
  const forwarded = sendRequest(
    target + request.url,
    { method: request.method!, headers: request.headers },
    (reply) => {
      response.writeHead(reply.statusCode!, reply.headers)
      let bytes = reply.rawHeaders.join(': ').length
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      reply.on('end', () => onSent(bytes))
      reply.pipe(response)
    },
  )
  forwarded.on('error', () => response.destroy())
  response.on('close', () => forwarded.destroy())
  request.pipe(forwarded)
}

/** Returns an incident that was published the given number of minutes ago. */
export function minutesAgo(minutes: number, number: number, changes: Partial<Incident> = {}): Incident {
  const time = `${new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`
  return anIncident(number, { published_at: time, occurred_at: time, updated_at: time, ...changes })
}

export const LAGOS: Partial<Incident> = {
  state: 'Lagos',
  lga: 'Ikeja',
  lat: 6.6,
  lng: 3.35,
  type: 'armed_robbery',
  category: 'crime',
  severity: 'low',
  location: {
    place: 'Ikeja',
    precision: 'settlement',
    radius_km: 3,
    state_code: 'NG-LA',
    lga_code: 'NG-LA-IKEJA',
    lga_basis: 'reported',
  },
}

/**
 * Waits until the map's scripts have replaced the server's page and drawn all of it; other pages
 * are ready at once.
 */
export async function waitForPage(page: Page): Promise<void> {
  await page.waitForFunction(
    () => !document.getElementById('initial-data') || document.querySelector('.app:not([aria-busy=true])'),
  )
}

/**
 * Answers requests of a page that is open, from here on: a route that was just set misses what the
 * page asks for in the same moment.
 */
export async function routeNow(page: Page, url: string | RegExp, answer: (route: Route) => unknown): Promise<void> {
  const probe = '/icon.svg?routed'
  let isSeen = false
  const see = (route: Route) => {
    isSeen = true
    return route.fulfill({ body: '' })
  }
  await page.route(url, answer)
  await page.route(`**${probe}`, see)
  const ask = (address: string) => fetch(address, { cache: 'no-store' }).then(() => {})
  await until(async () => {
    await page.evaluate(ask, probe)
    return isSeen
  }, 'the route')
  await page.unroute(`**${probe}`, see)
}

/** Waits until MapLibre has drawn; on a small screen it is loaded only once the map is touched. */
export async function waitForMap(page: Page): Promise<void> {
  await page.waitForSelector('.map[data-state]')
  await page
    .locator('.map[data-state=picture] + .map-picture')
    .dispatchEvent('pointerdown', {}, { timeout: 1000 })
    .catch(() => {})
  await page.waitForSelector('.map[data-state=ready]', { timeout: 60_000 })
}

/** The rules of WCAG 2.2, A and AA; axe has others, which are advice. */
export const WCAG_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] as const

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Returns what axe finds in the page, or within one part of it, by all rules or some. */
export async function axeViolations(
  page: Page,
  { rules = null, within = null }: { rules?: readonly string[] | null; within?: string | null } = {},
): Promise<string[]> {
  // Not with addScriptTag, which the policy of the page forbids.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  return page.evaluate(
    async ([runOnly, selector]) => {
      const { axe: loaded } = globalThis as unknown as { axe: typeof axe }
      const options = { ...(runOnly === null ? {} : { runOnly: [...runOnly] }), resultTypes: ['violations' as const] }
      const { violations } = await loaded.run(selector ?? document, options)
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      )
    },
    [rules, within] as const,
  )
}

/** The width and the theme in which a page is shown. */
export type Look = readonly [width: number, theme: 'light' | 'dark']

/** The widths in both themes. */
export const looks = (...widths: number[]): Look[] =>
  widths.flatMap((width) => [[width, 'light'] as const, [width, 'dark'] as const])

/** The rules for which the theme counts: themes differ in nothing but colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const

/**
 * `assertAccessible` in each look, in the page that is open: one visit serves all of them. A width
 * is checked by all of the rules in one theme, by those about colours in the other.
 */
export async function assertAccessibleIn(
  page: Page,
  wanted: readonly Look[],
  what: string,
  rules: readonly string[] | null = null,
): Promise<void> {
  // A map takes seconds to change its theme: begin with the one that is shown.
  const shown = await page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'))
  const sorted = wanted.toSorted(([, a], [, b]) => Number(b === shown) - Number(a === shown))
  const checked = new Set<number>()
  for (const [width, colorScheme] of sorted) {
    await page.setViewportSize({ width, height: page.viewportSize()!.height })
    await page.emulateMedia({ colorScheme })
    await page.waitForFunction(
      (look) => innerWidth === look.width && matchMedia(`(prefers-color-scheme: ${look.colorScheme})`).matches,
      { width, colorScheme },
    )
    await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    })
    await assertAccessible(page, `${what} at ${width} px, ${colorScheme}`, checked.has(width) ? COLOUR_RULES : rules)
    checked.add(width)
  }
}

/** Fails if axe finds something, or if the page scrolls sideways. */
export async function assertAccessible(
  page: Page,
  what = page.url(),
  rules: readonly string[] | null = null,
): Promise<void> {
  assert.deepEqual(await axeViolations(page, { rules }), [], what)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(overflow <= 0, `${what} is ${overflow} px too wide`)
}

/** Reads what the worker of the page shows at present. */
export function shownNotifications(page: Page): Promise<{ title: string; body: string; tag: string }[]> {
  return page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration('/'))!
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))
  })
}

/**
 * Hands messages to the worker as Chromium does with those of its push service, each once the one
 * before is shown: Chromium forgets a notification if a page asks for them while it is being shown.
 */
export async function pushService(page: Page, origin: string) {
  const session: CDPSession = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations.filter(({ isDeleted }) => !isDeleted)
      if (found !== undefined) resolve(found.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const [worker] = page.context().serviceWorkers()
  await worker!.evaluate(countShown)
  let delivered = 0
  return async (data: string) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    delivered++
    await until(() => worker!.evaluate((count) => Reflect.get(globalThis, 'shown') === count, delivered), 'it is shown')
  }
}

/** Runs in the worker. */
function countShown(): void {
  const scope = globalThis as unknown as { registration: ServiceWorkerRegistration; shown: number }
  scope.shown = 0
  scope.registration.showNotification = async (...given) => {
    await ServiceWorkerRegistration.prototype.showNotification.apply(scope.registration, given)
    scope.shown++
  }
}

/**
 * Runs in the page. The one part that is not real: this browser has no push service, so it is given
 * a subscription, which it keeps in all pages.
 */
export function subscribeWith(json: { readonly endpoint: string }): void {
  const subscription = { endpoint: json.endpoint, toJSON: () => json, options: { applicationServerKey: null } }
  const current = () => (localStorage.getItem('subscribed') === null ? null : subscription)
  PushManager.prototype.getSubscription = async () => current() as unknown as PushSubscription | null
  PushManager.prototype.subscribe = async () => {
    localStorage.setItem('subscribed', 'yes')
    return subscription as unknown as PushSubscription
  }
}
