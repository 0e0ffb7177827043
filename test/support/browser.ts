import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No graphics card where tests run: the map is drawn by the processor.
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
]

/** Why there is no browser to test with; null where there is one. Installs it where that may be done. */
export function browserMissing(): string | null {
  if (existsSync(CHROMIUM)) return null
  if (process.getuid?.() === 0) {
    try {
      execFileSync('apt-get', ['install', '-y', 'chromium'], { stdio: 'ignore', timeout: 300_000 })
    } catch {
      return `there is no Chromium at ${CHROMIUM}, and apt-get could not install it`
    }
    if (existsSync(CHROMIUM)) return null
  }
  return `there is no Chromium at ${CHROMIUM}; install it, or name one in CHROMIUM`
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
}
