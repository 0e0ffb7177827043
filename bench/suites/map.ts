/**
 * Measures the public map in a real browser, with 1,000,000 incidents: the time from the request
 * for the page, with an empty browser cache, until incidents are drawn on the map
 * (`incidents-drawn`, which the page marks at the first frame with incidents), for the default view
 * and for all years. Without a graphics card the processor draws. Sizes are what the browser
 * received for the default view, compressed and with headers, except for the stream, which does not
 * end.
 */
import { copyFileSync } from 'node:fs'
import type { Browser, Request } from 'playwright-core'
import { until } from '../../test/support/app.ts'
import { browserMissing, launchBrowser, PAINT_WITH_WEBGL } from '../../test/support/browser.ts'
import { startChild } from '../harness/child.ts'
import { dataFile, MILLION, removeDatabase } from '../harness/data.ts'
import type { Row } from '../harness/row.ts'
import { median } from '../harness/statistics.ts'

const MOST = 2500
const ROUNDS = 5
const VIEWPORT = { width: 1280, height: 800 }
/** The last requests of the first load, in any order. */
const LAST_REQUESTS = [/\/maplibre-gl-worker/, /^\/v1\/tiles/, /states\.geojson/, /group_by=day/]
const WEIGHTS = [
  { name: 'before the newest incidents can be read', paths: /^\/$|\/(main|shared)-/, most: 80 },
  { name: 'the whole first load', paths: /./, most: 480 },
  { name: 'our own scripts of it', paths: /\/(main|shared|start)-.*\.js$/, most: 60 },
]

export async function run(): Promise<Row[]> {
  const missing = browserMissing()
  if (missing !== null) return [{ name: 'map', value: `not measured: ${missing}`, limit: '–', ok: true }]
  const { path } = await dataFile(MILLION)
  const copy = `${path}.map-${process.pid}`
  try {
    copyFileSync(path, copy)
    await using child = await startChild<{ url: string }>('servers/service.ts', [copy])
    const browser = await launchBrowser(...PAINT_WITH_WEBGL)
    try {
      return [
        await row('map: first incidents drawn, the last 30 days', browser, `${child.hello.url}/`),
        await row('map: first incidents drawn, all years', browser, `${child.hello.url}/?span=all`),
        ...(await weights(browser, `${child.hello.url}/`)),
      ]
    } finally {
      await browser.close()
    }
  } finally {
    removeDatabase(copy)
  }
}

async function row(name: string, browser: Browser, url: string): Promise<Row> {
  await load(browser, url)
  const loads = []
  for (let round = 0; round < ROUNDS; round++) loads.push(await load(browser, url))
  const drawn = median(loads.map((one) => one.drawn))
  const read = median(loads.map((one) => one.read))
  return {
    name,
    value: `${drawn.toFixed(0)} ms (median of ${ROUNDS}; ${loads.map((one) => one.drawn.toFixed(0)).join(', ')}), readable after ${read.toFixed(0)} ms`,
    limit: `≤ ${MOST} ms`,
    ok: drawn <= MOST,
  }
}

async function load(browser: Browser, url: string): Promise<{ drawn: number; read: number }> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  try {
    const page = await context.newPage()
    await page.goto(url)
    await page.waitForFunction(() => performance.getEntriesByName('incidents-drawn').length > 0)
    return await page.evaluate(() => ({
      drawn: performance.getEntriesByName('incidents-drawn')[0]!.startTime,
      read: performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
    }))
  } finally {
    await context.close()
  }
}

async function weights(browser: Browser, url: string): Promise<Row[]> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  try {
    const page = await context.newPage()
    const sent: { path: string; bytes: number }[] = []
    page.on('requestfinished', async (request) => sent.push({ path: pathOf(request), bytes: await bytesOf(request) }))
    await page.goto(url)
    await page.waitForFunction(() => performance.getEntriesByName('incidents-drawn').length > 0)
    for (const path of LAST_REQUESTS) await until(() => sent.some((one) => path.test(one.path)), String(path))
    return WEIGHTS.map(({ name, paths, most }) => {
      const bytes = sent.filter(({ path }) => paths.test(path)).reduce((total, one) => total + one.bytes, 0)
      const kilobytes = bytes / 1000
      return {
        name: `map: over the wire, ${name}`,
        value: `${kilobytes.toFixed(0)} KB`,
        limit: `≤ ${most} KB`,
        ok: bytes > 0 && kilobytes <= most,
      }
    })
  } finally {
    await context.close()
  }
}

function pathOf(request: Request): string {
  const { pathname, search } = new URL(request.url())
  return pathname + search
}

async function bytesOf(request: Request): Promise<number> {
  const { responseHeadersSize, responseBodySize } = await request.sizes()
  return responseHeadersSize + responseBodySize
}
