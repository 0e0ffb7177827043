import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientNetwork, parseAddress } from '../../../src/lib/network/ip-address.ts'

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
