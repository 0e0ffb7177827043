import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { until } from '../../../test/support/app.ts'

const execute = promisify(execFile)
/** Debian installs the module for its own Python, which may not be the first in the path. */
const PYTHONS = ['/usr/bin/python3', 'python3']
const IMPORTS = 'try:\n import fusepy\nexcept ImportError:\n import fuse'
const SCRIPT = join(import.meta.dirname, 'forgetful-disk.py')
const UNMOUNT_ATTEMPTS = 100

/** The share that remains of pages that were written but not synced. */
export type Survivors = 'none' | 'half'

/** A disk that forgets everything that was not fsynced when it loses power. */
export class ForgetfulDisk implements AsyncDisposable {
  /** The mount point. */
  readonly path: string
  readonly #folder: string
  readonly #process: ChildProcess
  #output = ''

  /** Returns a sentence if this machine cannot mount such a disk. */
  static async mount(): Promise<ForgetfulDisk | string> {
    const python = await findPython()
    if (!existsSync('/dev/fuse')) return 'this machine has no /dev/fuse'
    if (python === null) return 'FUSE for Python is not installed (apt-get install python3-fusepy fuse)'
    const folder = await mkdtemp(join(tmpdir(), 'incident-feed-forgetful-'))
    // PostgreSQL runs as another user.
    await chmod(folder, 0o755)
    const path = join(folder, 'disk')
    await mkdir(path)
    const disk = new ForgetfulDisk(folder, path, python)
    await disk.#waitFor(/mounted\n$/)
    return disk
  }

  private constructor(folder: string, path: string, python: string) {
    this.#folder = folder
    this.path = path
    this.#process = spawn(python, [SCRIPT, path], { stdio: ['pipe', 'pipe', 'pipe'] })
    for (const stream of [this.#process.stdout!, this.#process.stderr!]) {
      stream.on('data', (chunk) => {
        this.#output += chunk
      })
    }
  }

  /** The number of pages and names that were forgotten, over all power losses. */
  get forgotten(): { pages: number; names: number } {
    const all = [...this.#output.matchAll(/^forgot (\d+) pages and (\d+) names/gm)]
    const sum = (group: number) => all.reduce((total, match) => total + Number(match[group]), 0)
    return { pages: sum(1), names: sum(2) }
  }

  /** Forgets what was not synced. No process may have a file of the disk open. */
  async losePower(survivors: Survivors): Promise<void> {
    const losses = this.#output.match(/^forgot/gm)?.length ?? 0
    this.#process.stdin!.write(`${survivors}\n`)
    await this.#waitFor(new RegExp(`survivors ${survivors}\\n$`))
    await this.#unmount()
    await until(() => (this.#output.match(/^forgot/gm)?.length ?? 0) > losses, 'the power loss')
    await this.#waitFor(/mounted\n$/)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.stdin!.end()
    if (this.#process.exitCode === null) await once(this.#process, 'exit')
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #waitFor(text: RegExp): Promise<void> {
    await until(() => {
      if (this.#process.exitCode !== null) throw new Error(`the forgetful disk has ended:\n${this.#output}`)
      return text.test(this.#output)
    }, `the forgetful disk; it says:\n${this.#output}`)
  }

  /** A killed process may hold its files for a moment longer. */
  async #unmount(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await execute('fusermount', ['-u', this.path])
        return
      } catch (error) {
        if (attempt === UNMOUNT_ATTEMPTS) throw error
        await wait(50)
      }
    }
  }
}

async function findPython(): Promise<string | null> {
  for (const python of PYTHONS) {
    try {
      await execute(python, ['-c', IMPORTS])
      return python
    } catch {
      // Not installed, or without the module: the next one may have it.
    }
  }
  return null
}
