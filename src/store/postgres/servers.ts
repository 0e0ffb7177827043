import { StoreUnavailable, StoreUnusable } from '../store.ts'

const ADDRESS = /^(?<before>postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?<hosts>[^/?#]*)(?<after>.*)$/

/** `postgres://…@one:5432,two:5432/name` names two servers; one address for each. */
export function urlsIn(databaseUrl: string): string[] {
  const { before, hosts, after } = ADDRESS.exec(databaseUrl)?.groups ?? {}
  const urls = hosts?.split(',').map((host) => `${before}${host}${after}`) ?? []
  // The address may hold a password: it is not repeated.
  if (urls.length === 0 || !urls.every((url) => URL.canParse(url)))
    throw new StoreUnusable(
      'The address must be postgres://user:password@host:port/database, or …@host:port,host:port/…',
    )
  return urls
}

/** The servers that an address names: the primary, and those that stand by to become it. */
export class Servers {
  readonly #urls: readonly string[]
  #current = 0

  constructor(databaseUrl: string) {
    this.#urls = urlsIn(databaseUrl)
  }

  get several(): boolean {
    return this.#urls.length > 1
  }

  /** Of the primary, as far as anybody knows. */
  get url(): string {
    return this.#urls[this.#current]!
  }

  /** It is away or stands by: from here on it is the next one's turn, unless somebody has left it before. */
  leave(url: string): void {
    if (this.url === url) this.#current = (this.#current + 1) % this.#urls.length
  }

  /** Tries each server once, until it works with one. */
  async reach<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
    for (let left = this.#urls.length; ; left--) {
      const { url } = this
      try {
        return await work(url)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        this.leave(url)
        if (left === 1) throw error
      }
    }
  }
}
