import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { savingData, WITHOUT_WORKER, withCoarseMaps, withoutWebGl } from '../browser-fixture.ts'

/** A developer at the console, with what their browser complained about. */
export interface Developer {
  readonly page: Page
  /** Console errors and uncaught errors. */
  readonly problems: string[]
}

export async function openConsole(
  browser: Browser,
  url: string,
  path = '/console',
  options: BrowserContextOptions = {},
): Promise<Developer> {
  const context = await browser.newContext({
    ...WITHOUT_WORKER,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  await context.addInitScript(withCoarseMaps)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  // The public map is on the way to the console, and is not drawn.
  if (path === '/') await savingData(page)
  await page.goto(url + path)
  return { page, problems }
}

/** Opens the console in a browser that cannot draw a map; forms then take areas as numbers. */
export async function openConsoleWithoutMaps(browser: Browser, url: string): Promise<Developer> {
  const developer = await openConsole(browser, url, '/healthz')
  await developer.page.addInitScript(withoutWebGl)
  await developer.page.goto(`${url}/console`)
  return developer
}

/** Gets a key as a newcomer does, and returns it. */
export async function signUp(page: Page, email: string): Promise<string> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Get my key' }).click()
  await page.getByRole('heading', { name: 'You are in' }).waitFor()
  return (await page.locator('.secret').textContent())!
}

/** Shares of the map's width and height; the whole of Nigeria is in view. */
type Click = readonly [x: number, y: number]
export const AROUND_KADUNA: readonly Click[] = [
  [0.4, 0.2],
  [0.6, 0.2],
  [0.6, 0.6],
  [0.4, 0.6],
  [0.4, 0.2],
]

/** Draws a shape on the map of a form, as a pointer does. */
export async function draw(page: Page, kind: string, clicks: readonly Click[]): Promise<void> {
  await page.locator('.area-map[aria-busy=false]').waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: kind }).click()
  await page.locator('.area-map').scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await page.locator('.area-map').boundingBox())!
  for (const [right, down] of clicks) {
    await page.mouse.move(x + width * right - 8, y + height * down - 8)
    await page.mouse.move(x + width * right, y + height * down, { steps: 3 })
    await page.mouse.down()
    await page.mouse.up()
  }
}
