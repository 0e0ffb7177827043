/**
 * Takes the screenshots in docs/images/ from the demo: `npm run screenshots`, after `npm run
 * build`. All incidents on them are synthetic.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { waitForMap } from '../test/browser/browser-fixture.ts'
import { browserMissing, launchBrowser } from '../test/support/browser.ts'

const ROOT = join(import.meta.dirname, '..')
const DESKTOP = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }

interface Shot {
  readonly name: string
  readonly path: string
  readonly options: BrowserContextOptions
  readonly act?: (page: Page) => Promise<void>
}

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
  const url = await addressOf(demo.stdout)
  const browser = await launchBrowser()
  for (const shot of SHOTS) {
    const context = await browser.newContext(shot.options)
    const page = await context.newPage()
    await page.goto(url + shot.path)
    await waitForMap(page)
    await shot.act?.(page)
    // Waits for tiles to fade in and for the list to follow the map.
    await page.waitForTimeout(3000)
    await page.screenshot({ path: join(ROOT, `docs/images/${shot.name}.png`) })
    await context.close()
    console.log(`docs/images/${shot.name}.png`)
  }
  await browser.close()
} finally {
  demo.kill()
  await once(demo, 'exit')
}

/** Reads the demo's URL from its output; the demo prints it once it is ready. */
async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  let printed = ''
  for await (const chunk of output) {
    printed += chunk
    const url = /Map\s+(http:\S+?)\/?\s/.exec(printed)?.[1]
    if (url && printed.includes('curl')) return url
  }
  throw new Error(`the demo exited before it was ready: ${printed}`)
}
