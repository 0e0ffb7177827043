/**
 * Takes the screenshots in docs/images/ from the demo: `npm run screenshots`, after `npm run
 * build`. All incidents on them are synthetic.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { waitForMap } from '../test/browser/browser-fixture.ts'
import { browserMissing, launchBrowser, PAINT_WITH_WEBGL } from '../test/support/browser.ts'
import { fileReports } from './screenshot-reports.ts'

const ROOT = join(import.meta.dirname, '..')
const DESKTOP = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }

interface Shot {
  readonly name: string
  readonly path: string
  readonly options: BrowserContextOptions
  readonly act?: (page: Page) => Promise<void>
}

const DESK_SHOTS: readonly Shot[] = [
  { name: 'desk-desktop-light', path: '/desk', options: { ...DESKTOP, colorScheme: 'light' } },
  {
    name: 'desk-merge-dark',
    path: '/desk',
    options: { ...DESKTOP, colorScheme: 'dark' },
    act: async (page) => {
      await page.locator('.row-body', { hasText: 'Gonin' }).first().click()
      // Keys are taken once the report is there with its duplicates.
      await page.getByText('Possible duplicates').waitFor()
      await page.keyboard.press('m')
    },
  },
  {
    name: 'desk-phone-light',
    path: '/desk',
    options: { ...PHONE, colorScheme: 'light' },
    act: (page) => page.locator('.row-body').first().click(),
  },
]

const CONSOLE_SHOTS: readonly Shot[] = [
  {
    name: 'console-watch-light',
    path: '/console?view=watches&watch=new',
    options: { ...DESKTOP, viewport: { width: 1280, height: 1100 }, colorScheme: 'light' },
    act: async (page) => {
      await page.getByLabel('Name').fill('North-west roads')
      await page.getByLabel('Address of your endpoint').fill('https://example.org/hooks/incidents')
      await page.getByRole('button', { name: 'Draw an area' }).click()
      const { x, y, width, height } = (await page.locator('.area-map').boundingBox())!
      for (const [right, down] of DRAWN_CORNERS)
        await page.mouse.click(x + width * right, y + height * down, { delay: 80 })
      await page.getByText('An area with').waitFor()
    },
  },
]

/** Shares of the map's width and height; the last click closes the area. */
const DRAWN_CORNERS = [
  [0.38, 0.2],
  [0.47, 0.14],
  [0.55, 0.22],
  [0.52, 0.42],
  [0.42, 0.46],
  [0.38, 0.2],
] as const

const SHOTS: readonly Shot[] = [
  { name: 'map-desktop-light', path: '/', options: { ...DESKTOP, colorScheme: 'light' } },
  {
    name: 'map-desktop-dark',
    path: '/?span=1y&at=7.6/10.6/7.2',
    options: { ...DESKTOP, colorScheme: 'dark' },
    act: (page) => page.locator('.rows .row').nth(2).click(),
  },
  { name: 'map-phone-light', path: '/', options: { ...PHONE, colorScheme: 'light' } },
  {
    name: 'map-phone-dark',
    path: '/',
    options: { ...PHONE, colorScheme: 'dark' },
    act: async (page) => {
      await page.locator('.sheet-handle').click()
      await page.locator('.sheet.half').waitFor()
    },
  },
]

const missing = browserMissing()
if (missing !== null) throw new Error(missing)

const demo = spawn(process.execPath, [join(ROOT, 'src/main.ts'), '--demo', '--port', '0'])
try {
  const { url, key } = await printedBy(demo.stdout)
  const browser = await launchBrowser(...PAINT_WITH_WEBGL)
  for (const shot of SHOTS) {
    const context = await browser.newContext(shot.options)
    await take(context, url, shot, waitForMap)
  }
  await fileReports(url, key)
  for (const shot of DESK_SHOTS) {
    const context = await browser.newContext(shot.options)
    await context.request.post(`${url}/v1/sessions`, { data: { key }, headers: { origin: url } })
    await take(context, url, shot, (page) => page.locator('.row').first().waitFor())
  }
  for (const shot of CONSOLE_SHOTS) {
    const context = await browser.newContext(shot.options)
    await context.request.post(`${url}/v1/sessions`, { data: { key }, headers: { origin: url } })
    await take(context, url, shot, (page) => page.locator('.area-map[aria-busy=false]').waitFor({ timeout: 60_000 }))
  }
  await browser.close()
} finally {
  demo.kill()
  await once(demo, 'exit')
}

async function take(
  context: BrowserContext,
  url: string,
  { name, path, act }: Shot,
  waitUntilReady: (page: Page) => Promise<unknown>,
): Promise<void> {
  const page = await context.newPage()
  await page.goto(url + path)
  await waitUntilReady(page)
  await act?.(page)
  await page.waitForFunction(() => document.querySelector('.place-map[aria-busy=true]') === null, null, {
    timeout: 60_000,
  })
  // Waits for tiles to fade in and for the list to follow the map.
  await page.waitForTimeout(4000)
  await page.screenshot({ path: join(ROOT, `docs/images/${name}.png`) })
  await context.close()
  console.log(`docs/images/${name}.png`)
}

/** Reads the demo's URL and key from its output; the demo prints them once it is ready. */
async function printedBy(output: NodeJS.ReadableStream): Promise<{ url: string; key: string }> {
  let printed = ''
  for await (const chunk of output) {
    printed += chunk
    const url = /Map\s+(http:\S+?)\/?\s/.exec(printed)?.[1]
    const key = /Key\s+(inf_live_\w+)/.exec(printed)?.[1]
    if (url && key && printed.includes('curl')) return { url, key }
  }
  throw new Error(`the demo exited before it was ready: ${printed}`)
}
