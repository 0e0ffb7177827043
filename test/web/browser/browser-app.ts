import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Incident } from '../../../src/domain/incident.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { launchBrowser } from '../../support/browser.ts'
import { anIncident } from '../../support/incident.ts'

/** The service with a browser before it. What goes between the two is weighed, and the stream can be cut. */
export interface Stand extends AsyncDisposable {
  readonly app: TestApp
  readonly url: string
  readonly browser: Browser
  /** Streams that are open. */
  readonly streams: ReadonlySet<ServerResponse>
  /** The `Last-Event-ID` that each connection to the stream began with. */
  readonly resumedFrom: (string | undefined)[]
  /** What went to the browser, in bytes, compressed and with headers. */
  readonly sent: { readonly path: string; readonly bytes: number }[]
  /** Whether connections to the stream are answered; those open are ended where they are not. */
  streaming: boolean
  open(path?: string, options?: BrowserContextOptions, prepare?: (page: Page) => Promise<unknown>): Promise<Opened>
}

export interface Opened extends AsyncDisposable {
  readonly page: Page
  /** What the page complained of, and what it asked of others. */
  readonly faults: string[]
}

export async function startStand(settings: Record<string, string> = {}): Promise<Stand> {
  const app = await startTestApp({ RATE_LIMIT_PUBLISHABLE: '100000', STREAMS_PER_KEY: '100', ...settings })
  const browser = await launchBrowser()
  const streams = new Set<ServerResponse>()
  const resumedFrom: (string | undefined)[] = []
  const sent: { path: string; bytes: number }[] = []
  let streaming = true
  const server = createServer((asked, answer) => {
    if (asked.url!.startsWith('/v1/stream')) {
      if (!streaming) return answer.writeHead(503).end()
      resumedFrom.push(asked.headers['last-event-id'] as string | undefined)
      streams.add(answer)
      answer.on('close', () => streams.delete(answer))
    }
    forward(app.url, asked, answer, (bytes) => sent.push({ path: asked.url!, bytes }))
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
    open: (path = '/', options = {}, prepare = async () => {}) => openPage(browser, url, path, options, prepare),
    async [Symbol.asyncDispose]() {
      await browser.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await app[Symbol.asyncDispose]()
    },
  }
}

async function openPage(
  browser: Browser,
  url: string,
  path: string,
  options: BrowserContextOptions,
  prepare: (page: Page) => Promise<unknown>,
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('request', (asked) => {
    const { protocol, origin } = new URL(asked.url())
    if (protocol.startsWith('http') && origin !== url) faults.push(`asked another host: ${asked.url()}`)
  })
  await prepare(page)
  await page.goto(url + path)
  return { page, faults, [Symbol.asyncDispose]: () => context.close() }
}

function forward(
  target: string,
  asked: IncomingMessage,
  answer: ServerResponse,
  onSent: (bytes: number) => void,
): void {
  const onward = request(target + asked.url, { method: asked.method!, headers: asked.headers }, (reply) => {
    answer.writeHead(reply.statusCode!, reply.headers)
    let bytes = reply.rawHeaders.join(': ').length
    reply.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    reply.on('end', () => onSent(bytes))
    reply.pipe(answer)
  })
  onward.on('error', () => answer.destroy())
  answer.on('close', () => onward.destroy())
  asked.pipe(onward)
}

/** An incident published so many minutes ago. */
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

export const mapIsThere = (page: Page) => page.waitForSelector('.map[data-state=there]', { timeout: 60_000 })
