import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddressOf, clientNetwork, parseAddress, parseTrustedProxies } from '../../src/lib/network.ts'

const NETWORKS: [string, string][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:0201', '192.0.2.1'],
  ['64:ff9b::192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::/64'],
  ['2001:DB8:1:2::ffff', '2001:0db8:0001:0002::/64'],
  ['2001:db8::5', '2001:0db8:0000:0000::/64'],
  ['fe80::1%eth0', 'fe80:0000:0000:0000::/64'],
  ['::1', '0000:0000:0000:0000::/64'],
  ['::', '0000:0000:0000:0000::/64'],
  ['2001:db8:1:2:3:4:192.0.2.1', '2001:0db8:0001:0002::/64'],
  ['unknown', 'unknown'],
]

for (const [address, network] of NETWORKS) {
  test(`${address} is counted as ${network}`, () => assert.equal(clientNetwork(address), network))
}

test('what is no address is not read as one', () => {
  for (const text of ['', '192.0.2', '192.0.2.256', '2001:db8', ':::', '[::1]', '192.0.2.1:80', 'localhost'])
    assert.equal(parseAddress(text), null, text)
})

/** The setting, the connection's address, the header, the client's address. */
const CASES: [string, string, string | undefined, string][] = [
  ['false', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['0', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['1', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['1', '10.0.0.1', '203.0.113.66, 198.51.100.7', '198.51.100.7'],
  ['2', '10.0.0.1', '203.0.113.66, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
  ['2', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['1', '10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.0/8', '10.0.0.1', '203.0.113.66, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
  ['10.0.0.0/8', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['10.0.0.0/8', '10.0.0.1', '10.9.9.9, 10.0.0.2', '10.9.9.9'],
  ['loopback', '::ffff:127.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['loopback', '::1', '2001:db8::7', '2001:db8::7'],
  ['loopback,192.0.2.9', '127.0.0.1', '198.51.100.7, 192.0.2.9', '198.51.100.7'],
  ['uniquelocal', 'fd00::1', '198.51.100.7', '198.51.100.7'],
  ['2001:db8::/32', '2001:db8::1', '198.51.100.7', '198.51.100.7'],
  ['loopback', '127.0.0.1', '198.51.100.7:50123', '198.51.100.7'],
  ['loopback', '127.0.0.1', '[2001:db8::7]:50123', '2001:db8::7'],
  ['loopback', '127.0.0.1', '"[2001:db8::7]"', '2001:db8::7'],
  ['loopback', '127.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
  ['loopback', '127.0.0.1', 'garbage, 198.51.100.7', '198.51.100.7'],
  ['loopback', '127.0.0.1', '198.51.100.7, garbage', '127.0.0.1'],
  ['loopback', '127.0.0.1', '198.51.100.7, ', '127.0.0.1'],
  ['loopback', '127.0.0.1', '', '127.0.0.1'],
]

for (const [setting, socket, header, client] of CASES) {
  test(`TRUST_PROXY=${setting}: ${header} through ${socket} is ${client}`, () => {
    assert.equal(clientAddressOf(socket, header, parseTrustedProxies(setting)!), client)
  })
}

test('a connection that has closed has no address, and is trusted by no list', () => {
  assert.equal(clientAddressOf(undefined, '198.51.100.7', parseTrustedProxies('loopback')!), 'unknown')
})

test('other texts are refused', () => {
  for (const text of [
    ...['true', 'yes', '', '17', '-1', '1.5', 'localhost', 'constructor', '10.0.0.0/7', '0.0.0.0/0', '::/0'],
    ...['10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '::ffff:10.0.0.0/104', 'loopback,', '10.0.0.0/8 loopback'],
  ])
    assert.equal(parseTrustedProxies(text), undefined, text)
})
