/** How many streams are open, in all and for each caller. */
export class ConnectionLimit {
  readonly #most: { readonly all: number; readonly each: number }
  readonly #taken = new Map<string, number>()
  #all = 0

  constructor(most: { all: number; each: number }) {
    this.#most = most
  }

  /** Takes a seat, or says whose bound is reached. */
  acquire(caller: string): 'taken' | 'caller full' | 'all full' {
    const own = this.#taken.get(caller) ?? 0
    if (own >= this.#most.each) return 'caller full'
    if (this.#all >= this.#most.all) return 'all full'
    this.#taken.set(caller, own + 1)
    this.#all++
    return 'taken'
  }

  release(caller: string): void {
    const own = this.#taken.get(caller)! - 1
    if (own === 0) this.#taken.delete(caller)
    else this.#taken.set(caller, own)
    this.#all--
  }
}
