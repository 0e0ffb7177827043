import { parseTrustedProxies } from '../../lib/network.ts'

const isLoopback = parseTrustedProxies('loopback')!

/** True for `localhost`, names below it, and loopback addresses, bracketed or not. */
export function isLoopbackHost(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1')
  return plain === 'localhost' || plain.endsWith('.localhost') || isLoopback(plain, 0)
}
