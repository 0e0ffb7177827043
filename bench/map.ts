/**
 * The public map in a real browser, over the service with 1,000,000 incidents: how long from asking for the page, with nothing
 * in the browser's cache, to incidents drawn on the map (`incidents-drawn`, marked by the page at the first frame that has
 * some on it), for the default view and for all years. Where there is no graphics card, the processor draws.
 */
import { copyFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { browserMissing, launchBrowser } from '../test/support/browser.ts'
import { startChild } from './child.ts'
import { dataFile, MILLION, removeDatabase } from './data.ts'
import type { Row } from './row.ts'
import { median } from './statistics.ts'

const MOST = 2500
const ROUNDS = 5

export async function run(): Promise<Row[]> {
  const missing = browserMissing()
  if (missing !== null) return [{ name: 'map', value: `not measured: ${missing}`, limit: '–', ok: true }]
  const { path } = await dataFile(MILLION)
  const copy = `${path}.map-${process.pid}`
  try {
    copyFileSync(path, copy)
    await using child = await startChild<{ url: string }>('servers/service.ts', [copy])
    const browser = await launchBrowser()
    try {
      return [
        await row('map: first incidents drawn, the last 30 days', browser, `${child.hello.url}/`),
        await row('map: first incidents drawn, all years', browser, `${child.hello.url}/?span=all`),
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
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
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
