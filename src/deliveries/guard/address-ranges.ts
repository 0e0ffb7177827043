import { BlockList, isIP } from 'node:net'

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
