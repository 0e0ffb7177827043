/** Runs at most `max` tasks at once; the others wait in call order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(max: number) {
    this.#free = max
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
