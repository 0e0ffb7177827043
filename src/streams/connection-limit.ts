export class ConnectionLimit {
  readonly #max: { readonly all: number; readonly each: number }
  readonly #openByCaller = new Map<string, number>()
  #open = 0

  constructor(max: { all: number; each: number }) {
    this.#max = max
  }

  /** Counts one more stream of the caller, or returns which limit is reached. */
  acquire(caller: string): 'taken' | 'caller full' | 'all full' {
    const own = this.#openByCaller.get(caller) ?? 0
    if (own >= this.#max.each) return 'caller full'
    if (this.#open >= this.#max.all) return 'all full'
    this.#openByCaller.set(caller, own + 1)
    this.#open++
    return 'taken'
  }

  release(caller: string): void {
    const own = this.#openByCaller.get(caller)! - 1
    if (own === 0) this.#openByCaller.delete(caller)
    else this.#openByCaller.set(caller, own)
    this.#open--
  }
}
