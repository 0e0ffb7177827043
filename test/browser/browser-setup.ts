import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { browserMissing, headlessShell } from '../support/browser.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')

/**
 * Finds or installs Chromium, once for all files. With no browser to be had it fails, and with it
 * the run, unless SKIP_BROWSER=1 is set: then the files skip their tests.
 */
export async function globalSetup(): Promise<void> {
  if (process.env.SKIP_BROWSER === '1') return
  let missing = browserMissing()
  // A path of the caller's own is theirs to correct.
  const mayInstall = process.env.CHROMIUM === undefined && process.getuid?.() === 0
  if (missing !== null && mayInstall)
    missing = await installWithAptGet('chromium').then(browserMissing, (error: Error) => `${missing}. ${error.message}`)
  if (missing !== null) throw new Error(`${missing}\n${notRun()}\nSKIP_BROWSER=1 leaves them out.`)
  if (headlessShell() === null && mayInstall)
    await installWithAptGet('chromium-headless-shell').catch(({ message }: Error) =>
      console.log(`All of Chromium runs instead, which takes longer: ${message}`),
    )
}

export async function globalTeardown(): Promise<void> {
  if (process.env.SKIP_BROWSER === '1') console.log(`SKIP_BROWSER is set. ${notRun()}`)
}

/** Tests that are made in a loop count once. */
function notRun(): string {
  const files = globSync('test/browser/**/*.test.ts', { cwd: ROOT }).sort()
  const counts = files.map((file) => readFileSync(join(ROOT, file), 'utf8').match(/^ *(it|test)\(/gm)?.length ?? 0)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const lines = files.map((file, index) => `  ${file}: ${counts[index]}`)
  return `Not run: at least ${total} tests of ${files.length} files:\n${lines.join('\n')}`
}

/** The message of an error has the output of apt-get. */
async function installWithAptGet(name: string): Promise<void> {
  console.log(`Installing ${name} with apt-get …`)
  // The lists of packages may be missing or old; else the update is saved.
  await aptGet('install', '-y', name).catch(async () => {
    await aptGet('update')
    await aptGet('install', '-y', name)
  })
}

/** One at a time: apt-get waits for the lock of dpkg, but not for its others. */
async function aptGet(...words: string[]): Promise<void> {
  const lock = join(tmpdir(), 'incident-feed-apt-get.lock')
  const options = ['-o', 'DPkg::Lock::Timeout=300']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('flock', ['--timeout', '600', lock, 'apt-get', ...options, ...words], { env, timeout: 900_000 })
}
