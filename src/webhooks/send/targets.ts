/** Where a POST goes, out of its URL. */
export interface Target {
  readonly protocol: string
  readonly origin: string
  readonly path: string
}

const MOST = 20_000

/** URLs as they are taken apart: an endpoint gets many messages, and reading its URL costs as much as signing one. */
export class Targets {
  readonly #known = new Map<string, Target>()

  /** Null where it is no URL. */
  find(url: string): Target | null {
    const known = this.#known.get(url)
    if (known) return known
    const parsed = URL.parse(url)
    if (!parsed) return null
    const target = { protocol: parsed.protocol, origin: parsed.origin, path: parsed.pathname + parsed.search }
    if (this.#known.size >= MOST) this.#known.clear()
    this.#known.set(url, target)
    return target
  }
}
