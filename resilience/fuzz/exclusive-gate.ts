/** Lets work run side by side, or alone: then what is running ends first, and the rest waits. */
export class ExclusiveGate {
  #running = 0
  #alone: Promise<void> | null = null
  #whenIdle: (() => void) | null = null

  async runBesideOthers<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#alone !== null) await this.#alone
    this.#running++
    try {
      return await work()
    } finally {
      if (--this.#running === 0) this.#whenIdle?.()
    }
  }

  async runAlone<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#alone !== null) await this.#alone
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#alone = promise
    try {
      if (this.#running > 0) {
        await new Promise<void>((idle) => {
          this.#whenIdle = idle
        })
      }
      return await work()
    } finally {
      this.#whenIdle = null
      this.#alone = null
      resolve()
    }
  }
}
