/** A loop's sleep between two looks: ended early by a wake-up, never missed though it came before the sleep. */
export class WakeableSleep {
  readonly #every: number
  #woken = false
  #stopped = false
  #wake: () => void = () => {}

  constructor(every: number) {
    this.#every = every
  }

  get stopped(): boolean {
    return this.#stopped
  }

  /** What comes from here on is news. */
  clearWake(): void {
    this.#woken = false
  }

  wake(): void {
    this.#woken = true
    this.#wake()
  }

  stop(): void {
    this.#stopped = true
    this.#wake()
  }

  async wait(): Promise<void> {
    if (this.#woken || this.#stopped) {
      this.#woken = false
      return
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#every)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#woken = false
  }
}
