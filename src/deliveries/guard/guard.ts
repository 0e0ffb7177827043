import type { LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'

/** Prevents server-side request forgery to addresses that only this service can reach. */
export interface Guard {
  /** `WEBHOOK_ALLOW_PRIVATE`: allows http and a developer's own networks. */
  readonly allowPrivate: boolean
  readonly lookup: LookupFunction
  /**
   * Resolves a name within the limits of an account, before `lookup`, which then knows its
   * addresses. Absent in tests that give a `lookup`.
   */
  readonly prepare?: (host: string, accountId: string) => Promise<unknown>
}

export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
  readonly code = 'ERR_REFUSED_ADDRESS'
}

const LOOKUP_FAULTS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not exist: no address is known for it',
  ENODATA: 'does not exist: no address is known for it',
  EAI_AGAIN: 'cannot be resolved at present; try again',
}

/** Returns why a watch may not have the endpoint, in words that follow "url", or null. */
export async function endpointFault(text: string, guard: Guard, accountId: string): Promise<string | null> {
  const fault = urlFault(text, guard.allowPrivate)
  if (fault !== null) return fault
  const host = hostNameOf(new URL(text))
  if (isIP(host)) return null
  try {
    await guard.prepare?.(host, accountId)
    await resolve(host, guard)
    return null
  } catch (error) {
    if (error instanceof RefusedAddress) return `has the host ${host}, which ${error.message}`
    const { code = 'no reason given' } = error as NodeJS.ErrnoException
    return `has the host ${host}, which ${LOOKUP_FAULTS[code] ?? `cannot be resolved (${code})`}`
  }
}

/** Opens connections, but none to an address that the guard refuses. */
export function guardedConnector(guard: Guard, options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: guardedLookup(guard) } as buildConnector.BuildOptions)
  return (target, callback) => {
    const host = hostNameOf(target)
    // A literal address is connected to without a lookup, so it is checked here.
    const why = isIP(host) ? addressRefusal(host, guard.allowPrivate) : null
    if (why) callback(new RefusedAddress(`is ${host}, ${why}`), null)
    else connect(target, callback)
  }
}

/**
 * A lookup that fails unless all addresses of the host are allowed. It runs as part of connecting,
 * so the checked address is the one used, even if the name's address has changed since.
 */
export function guardedLookup({ allowPrivate, lookup }: Guard): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const addresses = found as unknown as LookupAddress[]
      const refusal = refusalOf(addresses, allowPrivate)
      if (refusal) return callback(refusal, '', 0)
      if (options.all) callback(null, addresses)
      else callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }
}

/**
 * The same words for every refused address that a name resolves to, in answers, logs of deliveries
 * and the health of sources: whoever reads them is to learn nothing about the service's network.
 */
const LEADS_INSIDE = 'leads to a private address'

function refusalOf(addresses: readonly LookupAddress[], allowPrivate: boolean): RefusedAddress | null {
  if (addresses.length === 0) return new RefusedAddress('has no address')
  for (const { address } of addresses) {
    if (addressRefusal(address, allowPrivate) !== null) return new RefusedAddress(LEADS_INSIDE)
  }
  return null
}

function resolve(host: string, guard: Guard): Promise<void> {
  return new Promise((done, fail) => {
    guardedLookup(guard)(host, { all: true }, (error) => (error ? fail(error) : done()))
  })
}

const MAX_CHARACTERS = 2048
const ALLOWED_LOW_PORTS = [80, 443, 8080, 8443]
const FIRST_HIGH_PORT = 1024

/** Names that resolve only inside a private network. */
const PRIVATE_NAMES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'home.arpa',
  'corp',
  'private',
  'localdomain',
]
/** Names that cannot be registered (RFC 2606, RFC 7686). */
const RESERVED_NAMES = ['test', 'example', 'invalid', 'onion']

/** The host to connect to, without IPv6 brackets and the final dot of a full name. */
export function hostNameOf(url: { readonly hostname: string }): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/**
 * Returns why the URL's text alone rules it out as an endpoint, or null. The URL parser has already
 * turned every spelling of an IPv4 address (0x7f.1, 2130706433, 127.1, １２７.0.0.1) into four decimal
 * numbers.
 */
export function urlFault(text: string, allowPrivate: boolean): string | null {
  if (text.length > MAX_CHARACTERS) return `has ${text.length} characters; the maximum is ${MAX_CHARACTERS}`
  if (/[\s\p{Cc}\\]/u.test(text)) return 'contains a blank, a backslash or a control character; percent-encode it'
  if (!URL.canParse(text)) return 'is not a URL; give a complete one, such as https://example.org/incidents'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return `must begin with https://, not ${url.protocol}//`
  if (url.username !== '' || url.password !== '')
    return 'contains a user name or password, which lists and logs would show; leave it out'
  if (text.includes('#')) return 'has a fragment (#…), which is never sent; leave it out'
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!ALLOWED_LOW_PORTS.includes(port) && port < FIRST_HIGH_PORT)
    return `has port ${port}; ports ${ALLOWED_LOW_PORTS.join(', ')} and all above ${FIRST_HIGH_PORT - 1} are allowed`
  return hostFault(hostNameOf(url), allowPrivate)
}

function hostFault(host: string, allowPrivate: boolean): string | null {
  if (isIP(host)) {
    const why = addressRefusal(host, allowPrivate)
    return why && `points to ${host}, ${why}`
  }
  if (host.split('.').some((label) => label === '' || label.length > 63) || host.length > 253)
    return 'has an invalid host name: each part between dots has 1 to 63 characters, the whole name up to 253'
  if (RESERVED_NAMES.some((name) => host === name || host.endsWith(`.${name}`)))
    return `has the host ${host}, a name reserved for examples and tests`
  if (allowPrivate) return null
  if (!host.includes('.') || PRIVATE_NAMES.some((name) => host === name || host.endsWith(`.${name}`)))
    return `has the host ${host}, which resolves only inside a private network; give a public name`
  return null
}

type Range = readonly [subnet: string, why: string, inDevelopment?: 'allowed']

const LOOPBACK = 'a loopback address'
const PRIVATE = 'a private address'
const METADATA = 'the metadata service of a cloud'
const DOCUMENTATION = 'an address reserved for documentation'
const MULTICAST = 'a multicast address'
const EMBEDDED = 'an IPv6 form of an IPv4 address; give the IPv4 address'

/** Refused ranges, mostly IANA's special-purpose registries; the first match gives the reason. */
const RANGES: Readonly<Record<'ipv4' | 'ipv6', readonly Range[]>> = {
  ipv4: [
    ['169.254.169.254/32', METADATA],
    ['100.100.100.200/32', METADATA],
    ['192.0.0.192/32', METADATA],
    ['168.63.129.16/32', METADATA],
    ['0.0.0.0/8', 'the unspecified address'],
    ['10.0.0.0/8', PRIVATE, 'allowed'],
    ['100.64.0.0/10', "an address inside a provider's network (CGNAT)", 'allowed'],
    ['127.0.0.0/8', LOOPBACK, 'allowed'],
    ['169.254.0.0/16', 'a link-local address'],
    ['172.16.0.0/12', PRIVATE, 'allowed'],
    ['192.0.0.0/24', 'an address for protocols'],
    ['192.0.2.0/24', DOCUMENTATION],
    ['192.88.99.0/24', 'a 6to4 relay'],
    ['192.168.0.0/16', PRIVATE, 'allowed'],
    ['198.18.0.0/15', 'an address for benchmarks'],
    ['198.51.100.0/24', DOCUMENTATION],
    ['203.0.113.0/24', DOCUMENTATION],
    ['224.0.0.0/4', MULTICAST],
    ['255.255.255.255/32', 'the broadcast address'],
    ['240.0.0.0/4', 'a reserved address'],
  ],
  ipv6: [
    ['::/128', 'the unspecified address'],
    ['::1/128', LOOPBACK, 'allowed'],
    ['::ffff:0:0/96', EMBEDDED],
    ['::/96', EMBEDDED],
    ['64:ff9b::/96', 'a NAT64 address'],
    ['64:ff9b:1::/48', 'a NAT64 address'],
    ['100::/64', 'a discard-only address'],
    ['2001::/32', 'a Teredo address'],
    ['2001:2::/48', 'an address for benchmarks'],
    ['2001:10::/28', 'an ORCHID, not an address'],
    ['2001:20::/28', 'an ORCHID, not an address'],
    ['2001:db8::/32', DOCUMENTATION],
    ['2002::/16', 'a 6to4 address'],
    ['3fff::/20', DOCUMENTATION],
    ['fd00:ec2::254/128', METADATA],
    ['fd20:ce::254/128', METADATA],
    ['fc00::/7', 'a private address (ULA)', 'allowed'],
    ['fe80::/10', 'a link-local address'],
    ['fec0::/10', 'a site-local address'],
    ['ff00::/8', MULTICAST],
    // Only 2000::/3 is global unicast; these three ranges are the rest.
    ['::/3', 'not a public address'],
    ['4000::/2', 'not a public address'],
    ['8000::/1', 'not a public address'],
  ],
}

const COMPILED = {
  ipv4: RANGES.ipv4.map((range) => compiled(range, 'ipv4')),
  ipv6: RANGES.ipv6.map((range) => compiled(range, 'ipv6')),
}

function compiled([subnet, why, inDevelopment]: Range, family: 'ipv4' | 'ipv6') {
  const [net, bits] = subnet.split('/') as [string, string]
  const list = new BlockList()
  list.addSubnet(net, Number(bits), family)
  return { list, why, local: inDevelopment === 'allowed' }
}

/** Returns why the address is refused, or null. `allowPrivate` allows a developer's networks. */
export function addressRefusal(address: string, allowPrivate: boolean): string | null {
  // A zone (fe80::1%eth0) is not part of the address.
  const plain = address.split('%', 1)[0]!
  const version = isIP(plain)
  if (version === 0) return 'not an IP address'
  // One list per family: BlockList treats 10.0.0.1 and ::ffff:10.0.0.1 as equal, so ::ffff:0:0/96
  // would match every IPv4 address.
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const range = COMPILED[family].find(({ list }) => list.check(plain, family))
  return range && !(allowPrivate && range.local) ? range.why : null
}
