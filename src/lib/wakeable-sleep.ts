/** The pause of a polling loop. `wake` ends it early, even if called before it began. */
export class WakeableSleep {
  readonly #intervalMs: number
  #woken = false
  #stopped = false
  #wake: () => void = () => {}

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  get stopped(): boolean {
    return this.#stopped
  }

  /** Forgets earlier calls of `wake`: the work that starts here covers them. */
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
      const timer = setTimeout(resolve, this.#intervalMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#woken = false
  }
}
