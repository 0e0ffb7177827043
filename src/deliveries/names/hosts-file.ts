import type { LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

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
    if (performance.now() - this.#readAt > RELOAD_INTERVAL_MS) {
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
    this.#readAt = performance.now()
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
