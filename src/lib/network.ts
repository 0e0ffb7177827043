import { BlockList, isIP } from 'node:net'

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

/**
 * Whether what this address says in `X-Forwarded-For` is believed. Hop 0 is the connection's other
 * end, hop 1 the address that it named, and so on.
 */
export type TrustedProxies = (address: string, hop: number) => boolean

const NAMED_NETWORKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
])
const MAX_HOPS = 16
/** A wider network would trust strangers. */
const LEAST_BITS = { ipv4: 8, ipv6: 7 } as const

export const trustNobody: TrustedProxies = () => false

/** Reads `false`, a number of hops, or networks by comma; undefined if it is none of these. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'false' || text === '0') return trustNobody
  if (/^\d+$/.test(text)) {
    const hops = Number(text)
    return hops <= MAX_HOPS ? (_address, hop) => hop < hops : undefined
  }
  const networks = text.split(',').flatMap((name) => NAMED_NETWORKS.get(name.trim()) ?? [name.trim()])
  const list = new BlockList()
  if (!networks.every((network) => addNetwork(list, network))) return undefined
  return (address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}

function addNetwork(list: BlockList, network: string): boolean {
  const [written, bits, ...more] = network.split('/') as [string, ...string[]]
  const address = parseAddress(written)
  if (address === null || more.length > 0) return false
  const family = address.includes(':') ? 'ipv6' : 'ipv4'
  const most = family === 'ipv6' ? 128 : 32
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  // An IPv4 network written as IPv6 would need another prefix length.
  if (prefix < LEAST_BITS[family] || prefix > most || (family === 'ipv4' && written.includes(':'))) return false
  list.addSubnet(address, prefix, family)
  return true
}

/**
 * Walks `X-Forwarded-For` from its end, where the nearest proxy writes, as long as proxies are
 * trusted; what clients wrote before that is never read. An entry that is no address ends the walk:
 * the proxy that passed it on is counted instead.
 */
export function clientAddressOf(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  isTrusted: TrustedProxies,
): string {
  let address = parseAddress(socketAddress ?? '') ?? 'unknown'
  if (forwardedFor === undefined || !isTrusted(address, 0)) return address
  const entries = forwardedFor.split(',')
  for (let hop = 0; hop < entries.length && isTrusted(address, hop); hop++) {
    const named = parseForwarded(entries[entries.length - 1 - hop]!)
    if (named === null) break
    address = named
  }
  return address
}

/** Reads `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1` and `[2001:db8::1]:443`, quoted or not. */
function parseForwarded(entry: string): string | null {
  const plain = entry.trim().replace(/^"(.*)"$/, '$1')
  const withPort = /^\[([^\]]+)\](?::\d{1,5})?$|^([^:]+):\d{1,5}$/.exec(plain)
  return parseAddress(withPort?.[1] ?? withPort?.[2] ?? plain)
}
