import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { machine, within } from '../../lib/runtime.ts'
import { dnsClient, HostsFile, inTime, NAME_TIMEOUT_MS, type ResolvedAddress, type ResolveName } from './dns-client.ts'

/** The error codes of `dns.lookup`: the name has no address, or no name server knows at present. */
export class NameError extends Error {
  override readonly name = 'NameError'
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN'

  constructor(code: 'ENOTFOUND' | 'EAI_AGAIN', host: string, cause?: unknown) {
    super(`${code} ${host}`, { cause })
    this.code = code
  }
}

interface NameResolverOptions {
  readonly resolveName: ResolveName
  readonly hosts: Pick<HostsFile, 'find'>
  /** Monotonic, in milliseconds. */
  readonly clock?: () => number
}

interface KnownAddresses {
  readonly addresses: readonly LookupAddress[]
  readonly freshUntil: number
}

interface KnownFailure {
  readonly error: NameError
  readonly until: number
}

const MAX_NAMES = 20_000
const MAX_FAILURES = 10_000
/** Bounds of an answer's lifetime, in milliseconds. */
const MIN_FRESH_MS = 5_000
const MAX_FRESH_MS = 300_000
/** While the name servers are silent, an old answer is used for so long. */
const MAX_STALE_MS = 30 * 60_000
/** With an old answer at hand, nobody waits longer for a new one. */
const STALE_AFTER_MS = 100
/** Includes the time for which a query waits until its account may ask. */
const MAX_WAIT_MS = NAME_TIMEOUT_MS + 1_000
const FAILURE_MS = { ENOTFOUND: 10_000, EAI_AGAIN: 5_000 }
/** The account of queries that belong to nobody. */
const NO_ACCOUNT = ''

/** Resolves names: the hosts file first, then a cache in front of the name servers. */
export class NameResolver {
  readonly #resolveName: ResolveName
  readonly #hosts: Pick<HostsFile, 'find'>
  readonly #clock: () => number
  readonly #known = new BoundedCache<string, KnownAddresses>(MAX_NAMES)
  readonly #failures = new BoundedCache<string, KnownFailure>(MAX_FAILURES)
  readonly #queries = new Map<string, Promise<readonly LookupAddress[]>>()
  readonly #limits = new QueryLimits()

  constructor({ resolveName, hosts, clock = () => machine.elapsed() }: NameResolverOptions) {
    this.#resolveName = resolveName
    this.#hosts = hosts
    this.#clock = clock
  }

  /** Rejects with a `NameError`. A query that is needed counts for the account. */
  async resolve(host: string, accountId = NO_ACCOUNT): Promise<readonly LookupAddress[]> {
    const name = host.toLowerCase()
    const now = this.#clock()
    const known = this.#known.get(name)
    if (known !== undefined && now < known.freshUntil) return known.addresses
    const fixed = await this.#hosts.find(name)
    if (fixed !== null) return fixed
    const failure = this.#failures.get(name)
    const stale = known !== undefined && now < known.freshUntil + MAX_STALE_MS ? known.addresses : null
    if (failure !== undefined && now < failure.until) {
      if (stale !== null && failure.error.code === 'EAI_AGAIN') return stale
      throw failure.error
    }
    const query = this.#queries.get(name) ?? this.#startQuery(name, accountId)
    return stale === null ? query : orAfter(query, stale)
  }

  /** For `net.connect`; answers from the cache if the name was resolved before. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    this.resolve(host).then(
      (found) => {
        const { family } = options
        const wanted = family === 4 || family === 6 ? found.filter((each) => each.family === family) : [...found]
        if (wanted.length === 0) callback(new NameError('ENOTFOUND', host), '', 0)
        else if (options.all) callback(null, wanted)
        else callback(null, wanted[0]!.address, wanted[0]!.family)
      },
      (error: NameError) => callback(error, '', 0),
    )
  }

  /** One query for all that wait for the name. */
  #startQuery(name: string, accountId: string): Promise<readonly LookupAddress[]> {
    const query = inTime(this.#query(name, accountId), MAX_WAIT_MS)
      .catch((error) => {
        throw error instanceof NameError ? error : new NameError('EAI_AGAIN', name, error)
      })
      .finally(() => this.#queries.delete(name))
    this.#queries.set(name, query)
    // A caller with an old answer does not wait for the failure.
    query.catch(() => {})
    return query
  }

  async #query(name: string, accountId: string): Promise<readonly LookupAddress[]> {
    const found = await this.#limits
      .run(accountId, () => this.#resolveName(name))
      .catch((error) => this.#fail(name, new NameError('EAI_AGAIN', name, error)))
    // Not remembered as a failure: another account may ask.
    if (found === null) throw new NameError('EAI_AGAIN', name, new Error('too many names are being resolved'))
    if (found.length === 0) {
      this.#known.delete(name)
      return this.#fail(name, new NameError('ENOTFOUND', name))
    }
    const addresses = found.map(({ address, family }) => ({ address, family }))
    this.#known.set(name, { addresses, freshUntil: this.#clock() + lifetimeOf(found) })
    this.#failures.delete(name)
    return addresses
  }

  #fail(name: string, error: NameError): never {
    this.#failures.set(name, { error, until: this.#clock() + FAILURE_MS[error.code] })
    throw error
  }
}

/** The names of a guard: by the hosts file and these name servers; null for the system's. */
export function resolvedNames(servers: readonly string[] | null) {
  const resolver = new NameResolver({ resolveName: dnsClient(servers), hosts: new HostsFile() })
  return { lookup: resolver.lookup, prepare: (host: string, accountId: string) => resolver.resolve(host, accountId) }
}

function lifetimeOf(found: readonly ResolvedAddress[]): number {
  const ttl = Math.min(...found.map((each) => each.ttl)) * 1000
  return Math.min(MAX_FRESH_MS, Math.max(MIN_FRESH_MS, ttl))
}

/** The query's answer, or the old one if that takes too long or fails; not if the name is gone. */
function orAfter(
  query: Promise<readonly LookupAddress[]>,
  stale: readonly LookupAddress[],
): Promise<readonly LookupAddress[]> {
  const answer = query.catch((error: NameError) => {
    if (error.code === 'ENOTFOUND') throw error
    return stale
  })
  return within(machine, STALE_AFTER_MS, answer, () => stale)
}

/** Queries in flight for one account; a queue of them waits. */
const MAX_PER_ACCOUNT = 16
const MAX_WAITING_PER_ACCOUNT = 64
/** Above this number, each account has one query at a time, so that all have some. */
const SHARED_MAX = 1_000
const MAX = 4_000

interface AccountQueries {
  active: number
  readonly waiting: (() => void)[]
}

/** Limits the queries in flight by account: names that nobody answers for cost their owner only. */
class QueryLimits {
  readonly #accounts = new Map<string, AccountQueries>()
  #active = 0

  /** Runs the query when the account has room; returns null if too many wait already. */
  async run<Value>(accountId: string, query: () => Promise<Value>): Promise<Value | null> {
    const account = this.#accounts.get(accountId) ?? { active: 0, waiting: [] }
    this.#accounts.set(accountId, account)
    if (!this.#hasRoom(account)) {
      if (account.active === 0 || account.waiting.length >= MAX_WAITING_PER_ACCOUNT) return null
      await new Promise<void>((resolve) => account.waiting.push(resolve))
    }
    account.active++
    this.#active++
    try {
      return await query()
    } finally {
      account.active--
      this.#active--
      account.waiting.shift()?.()
      if (account.active === 0 && account.waiting.length === 0) this.#accounts.delete(accountId)
    }
  }

  #hasRoom({ active }: AccountQueries): boolean {
    return this.#active < MAX && active < (this.#active < SHARED_MAX ? MAX_PER_ACCOUNT : 1)
  }
}
