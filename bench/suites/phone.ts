/**
 * Measures the public map on a phone with a slow line and a quarter of this machine's speed, with
 * 1,000,000 incidents and empty caches: when the first text is painted, and when incidents are
 * shown on a map (the server's picture). The lines are those of WebPageTest, as the browser
 * imitates them: the delay counts for each request, not for opening a connection. The browser has
 * no WebGL: a phone's page does not draw with it before the map is touched, and with it emulated,
 * the first paint would measure the compiling of shaders on the processor. The last rows are
 * Lighthouse's, which is no dependency of this project:
 *
 * npm install --no-save lighthouse && npm run bench -- phone
 */
import { copyFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { browserMissing, launchBrowser } from '../../test/support/browser.ts'
import { startChild } from '../harness/child.ts'
import { dataFile, MILLION, removeDatabase } from '../harness/data.ts'
import { lighthouseRows } from '../harness/lighthouse.ts'
import type { Row } from '../harness/row.ts'
import { median } from '../harness/statistics.ts'

const ROUNDS = 5
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
const CPU_DIVISOR = 4
const KILOBIT = 1000 / 8

/** Round trips in ms, bytes a second; the most that text and map may take, in ms. */
const LINES = [
  { name: 'slow 3G (400 kbit/s, 400 ms)', latency: 400, throughput: 400 * KILOBIT, text: 1200, map: 4000 },
  { name: '2G (280 kbit/s, 800 ms)', latency: 800, throughput: 280 * KILOBIT, text: null, map: 9000 },
] as const

export async function run(): Promise<Row[]> {
  const missing = browserMissing()
  if (missing !== null) return [{ name: 'phone', value: `not measured: ${missing}`, limit: '–', ok: true }]
  const { path } = await dataFile(MILLION)
  const copy = `${path}.phone-${process.pid}`
  try {
    copyFileSync(path, copy)
    await using child = await startChild<{ url: string }>('servers/service.ts', [copy])
    const url = `${child.hello.url}/`
    const browser = await launchBrowser()
    const rows: Row[] = []
    try {
      await load(browser, url, LINES[0])
      for (const line of LINES) rows.push(...(await rowsOf(browser, url, line)))
    } finally {
      await browser.close()
    }
    return [...rows, ...(await lighthouseRows(url))]
  } finally {
    removeDatabase(copy)
  }
}

type Line = (typeof LINES)[number]

async function rowsOf(browser: Browser, url: string, line: Line): Promise<Row[]> {
  const loads: { text: number; map: number }[] = []
  for (let round = 0; round < ROUNDS; round++) loads.push(await load(browser, url, line))
  return (['text', 'map'] as const).map((part) => {
    const times = loads.map((one) => one[part])
    const most = line[part]
    return {
      name: `phone: ${part === 'text' ? 'first text' : 'incidents on a map'}, ${line.name}`,
      value: `${median(times).toFixed(0)} ms (median of ${ROUNDS}; ${times.map((time) => time.toFixed(0)).join(', ')})`,
      limit: most === null ? '–' : `≤ ${most} ms`,
      ok: most === null || median(times) <= most,
    }
  })
}

async function load(browser: Browser, url: string, { latency, throughput }: Line) {
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_DIVISOR })
    const speed = { latency, downloadThroughput: throughput, uploadThroughput: throughput }
    await session.send('Network.emulateNetworkConditions', { offline: false, ...speed })
    await markPicture(page)
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForFunction(() =>
      ['first-contentful-paint', 'picture-drawn'].every((name) => performance.getEntriesByName(name).length > 0),
    )
    return await page.evaluate(() => {
      const timeOf = (name: string) => performance.getEntriesByName(name)[0]!.startTime
      const text = timeOf('first-contentful-paint')
      // The mark is set when the frame is ready, the other time is when it is on the screen.
      return { text, map: Math.max(text, timeOf('picture-drawn')) }
    })
  } finally {
    await context.close()
  }
}

/** Marks the frame after the first one that shows marks of incidents in the server's picture. */
async function markPicture(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const look = () => {
      const mark = document.querySelector('.svg-map > g a')
      if (mark === null || mark.getBoundingClientRect().width === 0) requestAnimationFrame(look)
      else requestAnimationFrame(() => performance.mark('picture-drawn'))
    }
    requestAnimationFrame(look)
  })
}
