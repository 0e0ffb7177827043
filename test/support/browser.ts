import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { requireSlowTier } from './tier.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Test machines have no graphics card, so the processor draws what pages draw with WebGL. */
const EMULATED_WEBGL = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  // Else all of the page is painted so, and the first paint waits 9 s for shaders to be compiled.
  '--disable-gpu-rasterization',
]

/** Returns why there is no browser, or null if there is one. Installs Chromium if run as root. */
export function browserMissing(): string | null {
  if (existsSync(CHROMIUM)) return null
  if (process.getuid?.() === 0) {
    try {
      execFileSync('apt-get', ['install', '-y', 'chromium'], { stdio: 'ignore', timeout: 300_000 })
    } catch {
      return `there is no Chromium at ${CHROMIUM}, and apt-get failed to install it`
    }
    if (existsSync(CHROMIUM)) return null
  }
  return `there is no Chromium at ${CHROMIUM}; install it, or set CHROMIUM to its path`
}

export function launchBrowser(): Promise<Browser> {
  return launch(EMULATED_WEBGL)
}

/**
 * As Chromium starts by itself on a machine without a graphics card, with no WebGL: for measuring
 * pages that do not draw with it, since emulating it slows the first paint of any page.
 */
export function launchBrowserWithoutWebGl(...moreFlags: string[]): Promise<Browser> {
  return launch(moreFlags)
}

/**
 * As Chromium starts by itself on a machine without a graphics card, but with WebGL, which the
 * processor draws: for measuring pages that show a map beside other things. With the flags of
 * `launchBrowser` the emulated card also paints the page, and its frames come late.
 */
export function launchBrowserWithSlowWebGl(): Promise<Browser> {
  return launch(['--enable-unsafe-swiftshader'])
}

function launch(moreFlags: readonly string[]): Promise<Browser> {
  requireSlowTier('a browser')
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...moreFlags] })
}
