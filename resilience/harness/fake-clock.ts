import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const LIBRARY_FOLDERS = [
  '/usr/lib/x86_64-linux-gnu/faketime',
  '/usr/lib/aarch64-linux-gnu/faketime',
  '/usr/lib64/faketime',
]
const LIBRARY_NAME = 'libfaketimeMT.so.1'
/** The library reads its file this often; reading it on every call would slow a process tenfold. */
const REREAD_INTERVAL_MS = 1000

/** A wall clock that can be set while a process uses it; CLOCK_MONOTONIC stays as it is. */
export class FakeClock {
  readonly #file: string
  readonly #library: string
  readonly #rereadMs: number
  #seconds = 0

  private constructor(file: string, library: string, rereadMs: number) {
    this.#file = file
    this.#library = library
    this.#rereadMs = rereadMs
  }

  /**
   * Keeps the clock's file in the folder; `rereadMs` of 0 reads it on every call, for a process
   * that does little. Returns null if libfaketime is not installed.
   */
  static async create(folder: string, rereadMs = REREAD_INTERVAL_MS): Promise<FakeClock | null> {
    const library = LIBRARY_FOLDERS.map((path) => join(path, LIBRARY_NAME)).find(existsSync)
    if (library === undefined) return null
    const clock = new FakeClock(join(folder, 'clock'), library, rereadMs)
    await clock.moveBy(0)
    return clock
  }

  /** The time that processes with this clock see, in milliseconds. */
  get now(): number {
    return Date.now() + this.#seconds * 1000
  }

  /** The environment of a process that uses this clock. */
  get environment(): Record<string, string> {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      ...(this.#rereadMs === 0
        ? { FAKETIME_NO_CACHE: '1' }
        : { FAKETIME_CACHE_DURATION: String(this.#rereadMs / 1000) }),
      DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    }
  }

  /**
   * Moves the clock forward, or back if `hours` is negative. Resolves once every process uses the
   * new time.
   */
  async moveBy(hours: number): Promise<void> {
    this.#seconds += Math.round(hours * 3600)
    // Renamed into place, so that no process reads a partly written file.
    await writeFile(`${this.#file}.next`, `${this.#seconds < 0 ? '-' : '+'}${Math.abs(this.#seconds)}\n`)
    await rename(`${this.#file}.next`, this.#file)
    await wait(this.#rereadMs)
  }
}
