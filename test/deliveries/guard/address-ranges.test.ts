import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressRefusal } from '../../../src/deliveries/guard/address-ranges.ts'

const REFUSED: [string, RegExp][] = [
  ['0.0.0.0', /unspecified/],
  ['0.1.2.3', /unspecified/],
  ['10.0.0.1', /private/],
  ['10.255.255.255', /private/],
  ['100.64.0.1', /CGNAT/],
  ['100.127.255.255', /CGNAT/],
  ['100.100.100.200', /metadata/],
  ['127.0.0.1', /loopback/],
  ['127.255.255.254', /loopback/],
  ['168.63.129.16', /metadata/],
  ['169.254.0.1', /link-local/],
  ['169.254.169.254', /metadata/],
  ['172.16.0.1', /private/],
  ['172.31.255.255', /private/],
  ['192.0.0.8', /protocols/],
  ['192.0.0.192', /metadata/],
  ['192.0.2.1', /documentation/],
  ['192.88.99.1', /6to4/],
  ['192.168.1.1', /private/],
  ['198.18.0.1', /benchmarks/],
  ['198.19.255.255', /benchmarks/],
  ['198.51.100.1', /documentation/],
  ['203.0.113.1', /documentation/],
  ['224.0.0.1', /multicast/],
  ['239.255.255.255', /multicast/],
  ['240.0.0.1', /reserved/],
  ['255.255.255.255', /broadcast/],
  ['::', /unspecified/],
  ['::1', /loopback/],
  ['0:0:0:0:0:0:0:1', /loopback/],
  ['::127.0.0.1', /IPv6 form/],
  ['::8.8.8.8', /IPv6 form/],
  ['::ffff:127.0.0.1', /IPv6 form/],
  ['::ffff:7f00:1', /IPv6 form/],
  ['::ffff:8.8.8.8', /IPv6 form/],
  ['::ffff:0:127.0.0.1', /not a public/],
  ['64:ff9b::7f00:1', /NAT64/],
  ['64:ff9b::8.8.8.8', /NAT64/],
  ['64:ff9b:1::1', /NAT64/],
  ['100::1', /discard-only/],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', /Teredo/],
  ['2001:2::1', /benchmarks/],
  ['2001:10::1', /ORCHID/],
  ['2001:2f::1', /ORCHID/],
  ['2001:db8::1', /documentation/],
  ['2002:7f00:1::', /6to4/],
  ['3fff::1', /documentation/],
  ['5f00::1', /not a public/],
  ['fc00::1', /ULA/],
  ['fd12:3456::1', /ULA/],
  ['fd00:ec2::254', /metadata/],
  ['fd20:ce::254', /metadata/],
  ['fe80::1', /link-local/],
  ['fe80::1%eth0', /link-local/],
  ['fec0::1', /site-local/],
  ['ff02::1', /multicast/],
  ['localhost', /not an IP/],
  ['', /not an IP/],
]

for (const [address, why] of REFUSED) {
  test(`${address} is refused, with its reason`, () => assert.match(addressRefusal(address, false) ?? 'allowed', why))
}

/** Public addresses, and those just outside the refused ranges. */
const ALLOWED = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
  ],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255', '192.169.0.0'],
  ...[
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2001:1::',
    '2003::1',
  ],
  ...['2a00:1450:4001::200e', '2c0f:f248::1', '3ffe:ffff::1', '2001:db7::1', '2001:db9::1'],
]

for (const address of ALLOWED) {
  test(`${address} is allowed`, () => assert.equal(addressRefusal(address, false), null))
}

test('in development only private networks and the local machine are allowed as well', () => {
  const allowed = REFUSED.map(([address]) => address).filter((address) => addressRefusal(address, true) === null)
  const local = /^(10|127|172|192\.168|100\.64|100\.127)\.|^(fc00|fd12)|^(0:0:0:0:0:0:0|:):1$/
  assert.deepEqual(
    allowed,
    REFUSED.map(([address]) => address).filter((address) => local.test(address)),
  )
})
