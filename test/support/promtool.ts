import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { requireSlowTier } from './tier.ts'

/** Unpacked here if the machine has none: the package itself would also start a server. */
const UNPACKED = join(import.meta.dirname, '../../node_modules/.cache/promtool')

let found: string | null = null

/** Returns why there is no `promtool`, or null if there is one. Downloads Debian's if needed. */
export function promtoolMissing(): string | null {
  requireSlowTier('promtool')
  const places = [process.env.PROMTOOL ?? '/usr/bin/promtool', join(UNPACKED, 'usr/bin/promtool')]
  found = places.find((path) => existsSync(path)) ?? null
  if (found !== null) return null
  try {
    unpackPackage()
  } catch (error) {
    return `there is no promtool at ${places[0]}, and apt-get could not download it (${(error as Error).message}); install Debian's prometheus, or set PROMTOOL to its path`
  }
  found = places[1]!
  return null
}

export interface PromtoolResult {
  readonly ok: boolean
  readonly output: string
}

/** Runs `promtool`; only where `promtoolMissing` has returned null. */
export function promtool(args: readonly string[], input = ''): PromtoolResult {
  const { status, stdout, stderr } = spawnSync(found!, args, { input, encoding: 'utf8', timeout: 60_000 })
  return { ok: status === 0, output: stdout + stderr }
}

/**
 * Test files run at the same time: each unpacks a folder of its own, and the first gives it its
 * name.
 */
function unpackPackage(): void {
  mkdirSync(dirname(UNPACKED), { recursive: true })
  const folder = mkdtempSync(`${UNPACKED}-`)
  try {
    execFileSync('apt-get', ['download', 'prometheus'], { cwd: folder, stdio: 'pipe', timeout: 120_000 })
    const [file] = readdirSync(folder)
    execFileSync('dpkg-deb', ['-x', file!, 'package'], { cwd: folder, stdio: 'pipe', timeout: 60_000 })
    if (!existsSync(UNPACKED)) renameSync(join(folder, 'package'), UNPACKED)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
