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
  #hours = 0

  private constructor(file: string, library: string) {
    this.#file = file
    this.#library = library
  }

  /** Keeps the clock's file in the folder. Returns null if libfaketime is not installed. */
  static async create(folder: string): Promise<FakeClock | null> {
    const library = LIBRARY_FOLDERS.map((path) => join(path, LIBRARY_NAME)).find(existsSync)
    if (library === undefined) return null
    const clock = new FakeClock(join(folder, 'clock'), library)
    await clock.moveBy(0)
    return clock
  }

  /** The environment of a process that uses this clock. */
  get environment(): Record<string, string> {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: String(REREAD_INTERVAL_MS / 1000),
      DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    }
  }

  /**
   * Moves the clock forward, or back if `hours` is negative. Resolves once every process uses the
   * new time.
   */
  async moveBy(hours: number): Promise<void> {
    this.#hours += hours
    // Renamed into place, so that no process reads a partly written file.
    await writeFile(`${this.#file}.next`, `${this.#hours < 0 ? '-' : '+'}${Math.abs(this.#hours)}h\n`)
    await rename(`${this.#file}.next`, this.#file)
    await wait(REREAD_INTERVAL_MS)
  }
}
