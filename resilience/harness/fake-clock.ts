import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const PLACES = ['/usr/lib/x86_64-linux-gnu/faketime', '/usr/lib/aarch64-linux-gnu/faketime', '/usr/lib64/faketime']
const NAME = 'libfaketimeMT.so.1'
/** Looking at the file each time that a process asks for the time would slow it down tenfold. */
const SEEN_WITHIN = 1000

/** A clock that is set while the process that looks at it runs. The time that passes (CLOCK_MONOTONIC) is left alone. */
export class FakeClock {
  readonly #file: string
  readonly #library: string
  #hours = 0

  private constructor(file: string, library: string) {
    this.#file = file
    this.#library = library
  }

  /** Null where libfaketime is not installed. */
  static async in(folder: string): Promise<FakeClock | null> {
    const library = PLACES.map((place) => join(place, NAME)).find(existsSync)
    if (library === undefined) return null
    const clock = new FakeClock(join(folder, 'clock'), library)
    await clock.move(0)
    return clock
  }

  /** For a process that is to look at it. */
  get environment(): Record<string, string> {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: String(SEEN_WITHIN / 1000),
      DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    }
  }

  /** Forward, or back where it is less than 0. Resolves once every process has observed it. */
  async move(hours: number): Promise<void> {
    this.#hours += hours
    // In one piece: nobody may look at a file that is half written.
    await writeFile(`${this.#file}.next`, `${this.#hours < 0 ? '-' : '+'}${Math.abs(this.#hours)}h\n`)
    await rename(`${this.#file}.next`, this.#file)
    await wait(SEEN_WITHIN)
  }
}
