import { subscribe } from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { requireSlowTier } from './tier.ts'

/** `test/browser/browser-setup.ts` installs it before the tests. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
/**
 * Chromium's own build without windows, which needs a third less processor time for a page. Null if
 * there is none, or if the caller has chosen a browser.
 */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
export const headlessShell = (): string | null =>
  process.env.CHROMIUM === undefined && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : null

/** Chromium heeds only the last list of these, so Playwright's own are repeated. */
const DISABLED_FEATURES = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  'PreconnectToSearch',
  // Pages of Chromium's own address bar: a second of processor time for every window.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
]

const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join()}`,
]

/**
 * Lets the emulated graphics card paint whole pages, as a real one does. Without these flags it
 * draws WebGL alone, which takes less time for all pages.
 */
export const PAINT_WITH_WEBGL = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  // Else the first paint waits 9 s for shaders to be compiled.
  '--disable-gpu-rasterization',
]

/** Returns why there is no browser, or null if there is one. */
export function browserMissing(): string | null {
  if (existsSync(CHROMIUM)) return null
  return `there is no Chromium at ${CHROMIUM}; install it, or set CHROMIUM to its path`
}

/**
 * Why the tests in a browser are skipped, or false. With no browser they fail, unless SKIP_BROWSER
 * says that they may be left out.
 */
export function skipBrowser(): string | false {
  if (process.env.SKIP_BROWSER === '1') return 'SKIP_BROWSER is set'
  const missing = browserMissing()
  if (missing === null) return false
  throw new Error(`${missing}, or SKIP_BROWSER=1 to leave out the tests in a browser`)
}

/**
 * Starts all of Chromium, with notifications, which the headless shell lacks; where there is no
 * graphics card, the processor draws WebGL.
 */
export function launchBrowser(...moreFlags: string[]): Promise<Browser> {
  return launch(CHROMIUM, moreFlags)
}

function launch(executablePath: string, moreFlags: readonly string[] = []): Promise<Browser> {
  requireSlowTier('a browser')
  return chromium.launch({ executablePath, args: [...FLAGS, ...moreFlags] })
}

let shared: Promise<Browser> | null = null
let users = 0
let closing: NodeJS.Timeout | undefined
/** Within it, the next suite of the process takes the browser over: it starts a service first. */
const KEEP_OPEN_MS = 3000

/**
 * The browser of all suites of this process, without notifications; each calls `releaseBrowser` at
 * its end.
 */
export function sharedBrowser(): Promise<Browser> {
  clearTimeout(closing)
  users++
  shared ??= launch(headlessShell() ?? CHROMIUM)
  return shared
}

/** Closes what the suite has left open, and the browser once no other suite wants it. */
export async function releaseBrowser(): Promise<void> {
  const browser = await shared
  if (browser === null || users === 0 || --users > 0) return
  await Promise.all(browser.contexts().map((context) => context.close()))
  closing = setTimeout(closeUnused, KEEP_OPEN_MS)
}

async function closeUnused(): Promise<void> {
  if (users > 0 || shared === null) return
  clearTimeout(closing)
  const browser = shared
  shared = null
  await (await browser).close()
}

// Published by `scripts/tests/test-process.ts`.
subscribe('test-files-ended', () => void closeUnused())
