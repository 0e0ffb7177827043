import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

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
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(url + path)
  return { page, problems }
}

/**
 * Opens the console in a browser that cannot draw a map; forms then take areas as numbers. Emulated
 * WebGL takes seconds of processor time for each form, so a test that looks at no map opens the
 * console so.
 */
export async function openConsoleWithoutMaps(browser: Browser, url: string): Promise<Developer> {
  const { page, problems } = await openConsole(browser, url, '/healthz')
  await page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...options: unknown[]) {
      return kind.startsWith('webgl') ? null : Reflect.apply(getContext, this, [kind, ...options])
    } as typeof getContext
  })
  await page.goto(`${url}/console`)
  return { page, problems }
}

/** Gets a key as a newcomer does, and returns it. */
export async function signUp(page: Page, email: string): Promise<string> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Get my key' }).click()
  await page.getByRole('heading', { name: 'You are in' }).waitFor()
  return (await page.locator('.secret').textContent())!
}

export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[]
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
