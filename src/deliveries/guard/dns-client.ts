import type { LookupAddress, RecordWithTtl } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { machine, within } from '../../lib/runtime.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
  /** Seconds for which the answer holds. */
  readonly ttl: number
}

/** Addresses of a name; none if it does not exist. Rejects if no name server knows at present. */
export type ResolveName = (name: string) => Promise<readonly ResolvedAddress[]>

/** Each server is asked twice, for so long. */
const QUERY_TIMEOUT_MS = 1_500
const TRIES = 2
/** A name has its answers by then, or has none. */
export const NAME_TIMEOUT_MS = 5_000
/** After one family of addresses is known, the other has this much time. */
const OTHER_FAMILY_TIMEOUT_MS = 200

const UNKNOWN_NAME_CODES: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/**
 * Asks name servers over the network; null for the system's. Node's `Resolver` does not use libuv's
 * threads.
 */
export function dnsClient(
  servers: readonly string[] | null,
  searchDomains: readonly string[] = systemSearchDomains(),
): ResolveName {
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
    const deadline = machine.elapsed() + NAME_TIMEOUT_MS
    for (const each of namesToTry(name, searchDomains)) {
      const found = await inTime(bothFamilies(each, resolveFamily), deadline - machine.elapsed())
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
  if (first > 0) await inTime(settled, OTHER_FAMILY_TIMEOUT_MS).catch(() => {})
  const addresses = () => [...found[4], ...found[6]]
  if (addresses().length > 0) return addresses()
  const failure = (await settled).find(({ status }) => status === 'rejected')
  // An address of one family is enough, whatever happened to the other.
  if (failure !== undefined && addresses().length === 0) throw (failure as PromiseRejectedResult).reason
  return addresses()
}

/** The domains of `search` (or `domain`) in the text of `/etc/resolv.conf`. */
export function parseSearchDomains(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const search = lines.findLast(([keyword]) => keyword === 'search' || keyword === 'domain')
  return (search ?? []).slice(1).filter((domain) => domain !== '.')
}

function systemSearchDomains(path = '/etc/resolv.conf'): string[] {
  try {
    return parseSearchDomains(readFileSync(path, 'utf8'))
  } catch {
    // A system without the file searches no domains.
    return []
  }
}

/**
 * The full names to try, as for `dns.lookup`: a service in the same Docker or Kubernetes network
 * has a short name. A name with a dot is first tried as it is.
 */
export function namesToTry(name: string, searchDomains: readonly string[]): string[] {
  const searched = searchDomains.map((domain) => `${name}.${domain}`)
  return name.includes('.') ? [name, ...searched] : [...searched, name]
}

const RELOAD_INTERVAL_MS = 5_000

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** The names of `/etc/hosts`, read again every few seconds while it is used. */
export class HostsFile {
  readonly #path: string
  #names: ReadonlyMap<string, readonly LookupAddress[]> = new Map()
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null

  constructor(path = '/etc/hosts') {
    this.#path = path
  }

  async find(name: string): Promise<readonly LookupAddress[] | null> {
    if (machine.elapsed() - this.#readAt > RELOAD_INTERVAL_MS) {
      this.#reading ??= this.#read()
      await this.#reading
    }
    const isLocal = name === 'localhost' || name.endsWith('.localhost')
    return this.#names.get(name) ?? (isLocal ? LOOPBACK : null)
  }

  async #read(): Promise<void> {
    // A system without the file has no such names.
    const text = await readFile(this.#path, 'utf8').catch(() => '')
    this.#names = parseHosts(text)
    this.#readAt = machine.elapsed()
    this.#reading = null
  }
}

export function parseHosts(text: string): Map<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const alias of aliases) {
      const name = alias.toLowerCase()
      names.set(name, [...(names.get(name) ?? []), { address, family }])
    }
  }
  return names
}

/** Rejects if the work takes longer; the work goes on. */
export function inTime<Value>(work: Promise<Value>, ms: number): Promise<Value> {
  return within(machine, ms, work, () => {
    throw new Error(`no answer within ${ms} ms`)
  })
}
