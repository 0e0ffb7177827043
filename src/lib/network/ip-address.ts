import { isIP } from 'node:net'

/** NAT64 and SIIT write an IPv4 client as an address of this network. */
const NAT64 = '0064:ff9b:0000:0000:0000:0000'
const IPV4_MAPPED = '0000:0000:0000:0000:0000:ffff'

/** Reads an address without its zone; an IPv4 address written as IPv6 becomes IPv4 again. */
export function parseAddress(text: string): string | null {
  const plain = text.split('%', 1)[0]!
  const version = isIP(plain)
  if (version !== 6) return version === 4 ? plain : null
  const groups = groupsOf(plain)
  const prefix = groups.slice(0, 6).join(':')
  if (prefix !== IPV4_MAPPED && prefix !== NAT64) return plain.toLowerCase()
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group.slice(0, 2), 16), Number.parseInt(group.slice(2), 16)])
    .join('.')
}

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, because
 * every subscriber has at least 2^64 of those to choose from.
 */
export function clientNetwork(address: string): string {
  const parsed = parseAddress(address)
  if (parsed === null || !parsed.includes(':')) return parsed ?? address
  return `${groupsOf(parsed).slice(0, 4).join(':')}::/64`
}

/** The eight groups of a valid IPv6 address, four hexadecimal digits each. */
function groupsOf(address: string): string[] {
  const [head, tail] = withoutDots(address).split('::') as [string, string?]
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(missing).fill('0'), ...after].map((group) => group.toLowerCase().padStart(4, '0'))
}

/** Writes a dotted end (`::ffff:192.0.2.1`) as two groups. */
function withoutDots(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
    const [a, b, c, d] = bytes.slice(0, 4).map((byte) => Number(byte).toString(16).padStart(2, '0'))
    return `${a}${b}:${c}${d}`
  })
}
