/** Short, so that mail goes on soon after the server is back. */
const PAUSE_MS = 20_000

/** After a mail server took nothing, no mail is tried for a while: thousands may wait. */
export class MailBreaker {
  readonly #elapsed: () => number
  #openUntil = Number.NEGATIVE_INFINITY

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  get isOpen(): boolean {
    return this.#elapsed() < this.#openUntil
  }

  open(): void {
    this.#openUntil = this.#elapsed() + PAUSE_MS
  }
}
