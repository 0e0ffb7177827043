/**
 * Measures the desk in a real browser: the time from the press of `c` until the next report has
 * been drawn, with a queue of 300 reports. The page notes the key press and the first frame after
 * the heading has changed. The map beside it is drawn with WebGL by
 * the processor; the page is painted as on any machine without a graphics card.
 */
import type { Page } from 'playwright-core'
import { type DeskService, reportNumber, startDeskProcess } from '../../test/browser/desk/desk-service.ts'
import { browserMissing, launchBrowser } from '../../test/support/browser.ts'
import type { Row } from '../harness/row.ts'
import { percentile } from '../harness/statistics.ts'

const REPORTS = 300
const DECISIONS = 100
const MOST_MS = 100

export async function run(): Promise<Row[]> {
  const missing = browserMissing()
  if (missing !== null) return [{ name: 'desk page', value: `not measured: ${missing}`, limit: '–', ok: true }]
  await using service = await startDeskProcess()
  const browser = await launchBrowser()
  try {
    const times = await confirmAll(await openFilledDesk(service, browser))
    const p95 = percentile(times, 0.95)
    return [
      {
        name: 'desk page: from the key press to the next report',
        value: `${p95.toFixed(0)} ms (p95 of ${times.length}; median ${percentile(times, 0.5).toFixed(0)} ms)`,
        limit: `≤ ${MOST_MS} ms`,
        ok: p95 <= MOST_MS,
      },
    ]
  } finally {
    await browser.close()
  }
}

async function openFilledDesk(service: DeskService, browser: Awaited<ReturnType<typeof launchBrowser>>): Promise<Page> {
  const now = Date.now()
  const reports = Array.from({ length: REPORTS }, (_, number) => reportNumber(number, now))
  await service.send('POST', '/v1/reports', reports)
  const page = await service.openDesk(browser, 'Editor', 'editor', { drawsMap: true })
  await page.locator('.report-head h1').waitFor()
  await page.locator('.place-map[data-state=ready]').waitFor()
  await page.evaluate(noteTimes)
  return page
}

async function confirmAll(page: Page): Promise<number[]> {
  for (let count = 1; count <= DECISIONS; count++) {
    await page.keyboard.press('c')
    await page.waitForFunction((wanted) => (window as unknown as Noted).deskTimes.length >= wanted, count)
  }
  return page.evaluate(() => (window as unknown as Noted).deskTimes)
}

interface Noted {
  deskTimes: number[]
}

/** Runs in the page. */
function noteTimes(): void {
  const times: number[] = []
  ;(window as unknown as Noted).deskTimes = times
  let pressedAt = 0
  addEventListener(
    'keydown',
    (event) => {
      pressedAt = event.timeStamp
    },
    { capture: true },
  )
  const shown = () => document.querySelector('.report-head h1')?.getAttribute('data-report')
  let before = shown()
  new MutationObserver(() => {
    if (shown() === before) return
    before = shown()
    requestAnimationFrame(() => requestAnimationFrame(() => times.push(performance.now() - pressedAt)))
  }).observe(document.querySelector('.report')!, { subtree: true, childList: true, attributes: true })
}
