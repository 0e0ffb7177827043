import type { RecordWithTtl } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { namesToTry, systemSearchDomains } from './search-domains.ts'
import { within } from './within.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
  /** Seconds for which the answer holds. */
  readonly ttl: number
}

/** Addresses of a name; none if it does not exist. Rejects if no name server knows at present. */
export type ResolveName = (name: string) => Promise<readonly ResolvedAddress[]>

export interface DnsClientOptions {
  /** Addresses of name servers; null for the system's. */
  readonly servers: readonly string[] | null
  readonly searchDomains?: readonly string[]
}

/** Each server is asked twice, for so long. */
const QUERY_TIMEOUT_MS = 1_500
const TRIES = 2
/** A name has its answers by then, or has none. */
export const NAME_TIMEOUT_MS = 5_000
/** After one family of addresses is known, the other has this much time. */
const OTHER_FAMILY_TIMEOUT_MS = 200

const UNKNOWN_NAME_CODES: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/** Asks name servers over the network. Node's `Resolver` does not use libuv's threads. */
export function dnsClient({ servers, searchDomains = systemSearchDomains() }: DnsClientOptions): ResolveName {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
  if (servers !== null) resolver.setServers([...servers])
  const resolveFamily = async (name: string, family: 4 | 6): Promise<ResolvedAddress[]> => {
    try {
      const records: RecordWithTtl[] = await resolver[`resolve${family}`](name, { ttl: true })
      return records.map(({ address, ttl }) => ({ address, family, ttl }))
    } catch (error) {
      if (UNKNOWN_NAME_CODES.includes((error as NodeJS.ErrnoException).code)) return []
      throw error
    }
  }
  return async (name) => {
    const deadline = performance.now() + NAME_TIMEOUT_MS
    for (const each of namesToTry(name, searchDomains)) {
      const found = await within(bothFamilies(each, resolveFamily), deadline - performance.now())
      if (found.length > 0) return found
    }
    return []
  }
}

async function bothFamilies(
  name: string,
  resolveFamily: (name: string, family: 4 | 6) => Promise<ResolvedAddress[]>,
): Promise<ResolvedAddress[]> {
  const found: Record<4 | 6, ResolvedAddress[]> = { 4: [], 6: [] }
  const both = ([4, 6] as const).map(async (family) => {
    found[family] = await resolveFamily(name, family)
    return found[family].length
  })
  const settled = Promise.allSettled(both)
  const first = await Promise.race(both.map((each) => each.catch(() => 0)))
  if (first > 0) await within(settled, OTHER_FAMILY_TIMEOUT_MS).catch(() => {})
  const addresses = () => [...found[4], ...found[6]]
  if (addresses().length > 0) return addresses()
  const failure = (await settled).find(({ status }) => status === 'rejected')
  // An address of one family is enough, whatever happened to the other.
  if (failure !== undefined && addresses().length === 0) throw (failure as PromiseRejectedResult).reason
  return addresses()
}
