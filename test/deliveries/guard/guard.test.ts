import assert from 'node:assert/strict'
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { test } from 'node:test'
import { endpointFault, guardedLookup, RefusedAddress, urlFault } from '../../../src/deliveries/guard/guard.ts'
import { SPELLINGS_OF_LOOPBACK } from '../loopback.ts'

for (const host of SPELLINGS_OF_LOOPBACK) {
  test(`https://${host}/ is refused`, () => {
    const fault = urlFault(`https://${host}/`, false)
    assert.match(
      fault ?? 'allowed',
      /^(points to .*(loopback|unspecified|IPv6 form|NAT64|6to4)|has the host .* only inside)/,
    )
  })
}

const WRONG: [string, RegExp][] = [
  ['', /^is not a URL; give a complete one, such as https/],
  ['example.org/hook', /^is not a URL/],
  ['https://', /^is not a URL/],
  ['https://256.256.256.256/', /^is not a URL/],
  ['http://example.org/', /^must begin with https:\/\/, not http:\/\//],
  ['ftp://example.org/', /^must begin with https:\/\/, not ftp:\/\//],
  ['javascript:alert(1)', /^must begin with https/],
  ['https://user:password@example.org/', /^contains a user name or password/],
  ['https://user@example.org/', /^contains a user name/],
  ['https://example.org/#part', /^has a fragment/],
  ['https://example.org/#', /^has a fragment/],
  [' https://example.org/', /^contains a blank/],
  ['https://exam\tple.org/', /^contains a blank/],
  ['https://example.org\\@127.0.0.1/', /^contains a blank, a backslash/],
  [`https://example.org/${'x'.repeat(2040)}`, /^has 2060 characters; the maximum is 2048$/],
  ['https://example.org:22/', /^has port 22; ports 80, 443, 8080, 8443 and all above 1023 are allowed$/],
  ['https://example.org:0/', /^has port 0/],
  ['https://example.org:1023/', /^has port 1023/],
  ['https://receiver/', /^has the host receiver, which resolves only inside a private network/],
  ['https://metadata.google.internal/', /only inside a private network/],
  ['https://printer.local/', /only inside a private network/],
  ['https://router.home.arpa/', /only inside a private network/],
  ['https://hooks.example/', /^has the host hooks.example, a name reserved for examples/],
  ['https://a..example.org/', /^has an invalid host name/],
  [`https://${'x'.repeat(64)}.org/`, /^has an invalid host name/],
  ['https://10.0.0.1/', /^points to 10.0.0.1, a private address$/],
  ['https://169.254.169.254/latest', /^points to 169.254.169.254, the metadata service of a cloud$/],
  ['https://[fd00::1]/', /^points to fd00::1, a private address \(ULA\)$/],
]

for (const [url, why] of WRONG) {
  test(`${JSON.stringify(url).slice(0, 60)} is refused, with the reason`, () => {
    assert.match(urlFault(url, false) ?? 'allowed', why)
  })
}

const RIGHT = [
  ...[
    'https://example.org',
    'https://example.org./hook',
    'https://example.org:8443/a?b=c',
    'https://example.org:1024/',
  ],
  ...[
    'https://example.org:80/',
    'https://example.org:65535/',
    'https://1.1.1.1/',
    'https://[2606:4700::1111]/',
    'HTTPS://EXAMPLE.ORG/',
  ],
  ...['https://internal.example.org/', 'https://localhost.example.org/', 'https://bücher.example.org/'],
]

for (const url of RIGHT) test(`${url} may be an endpoint`, () => assert.equal(urlFault(url, false), null))

test('in development http, local names and private addresses may be endpoints, metadata may not', () => {
  for (const url of ['http://localhost:3000/', 'http://127.0.0.1:8080/', 'http://receiver/', 'https://[::1]:8443/'])
    assert.equal(urlFault(url, true), null)
  assert.match(urlFault('http://169.254.169.254/', true)!, /metadata/)
  assert.match(urlFault('ftp://localhost/', true)!, /^must begin with https/)
})

/** Returns a lookup with fixed answers. */
function fixedLookup(answers: Record<string, readonly string[]>): LookupFunction {
  return (host, options, callback) => {
    const addresses = (answers[host] ?? []).map(
      (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
    )
    if (addresses.length === 0) callback(Object.assign(new Error(host), { code: 'ENOTFOUND' }), '', 0)
    else if (options.all) callback(null, addresses)
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
}

const lookup = fixedLookup({
  'public.org': ['1.1.1.1', '2606:4700::1111'],
  'private.org': ['10.1.2.3'],
  'half.org': ['1.1.1.1', '::1'],
})

test('the host of a new watch is resolved, and a refused address is reported', async () => {
  const fault = (url: string, allowPrivate = false) => endpointFault(url, { allowPrivate, lookup }, 'acc_1')
  assert.equal(await fault('https://public.org/'), null)
  assert.equal(await fault('https://1.1.1.1/'), null)
  assert.equal(
    await fault('https://private.org/'),
    'has the host private.org, which leads to 10.1.2.3, a private address',
  )
  assert.equal(await fault('https://half.org/'), 'has the host half.org, which leads to ::1, a loopback address')
  assert.equal(
    await fault('https://nowhere.org/'),
    'has the host nowhere.org, which does not exist: no address is known for it',
  )
  assert.match((await fault('http://public.org/'))!, /^must begin with https/)
  assert.equal(await fault('http://private.org/', true), null)
})

test('a guarded lookup succeeds only if every resolved address is allowed', async () => {
  const ask = (host: string, all: boolean) =>
    new Promise((done) => {
      guardedLookup({ allowPrivate: false, lookup })(host, { all }, (error, ...answer) => done(error ?? answer))
    })
  assert.deepEqual(await ask('public.org', false), ['1.1.1.1', 4])
  assert.deepEqual(await ask('public.org', true), [
    [
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ],
  ])
  for (const host of ['private.org', 'half.org'])
    for (const all of [true, false]) assert.ok((await ask(host, all)) instanceof RefusedAddress)
})

test("the system's lookup can be guarded", async () => {
  const guard = { allowPrivate: true, lookup: systemLookup as LookupFunction }
  const fault = await endpointFault('https://localhost.:8443/', guard, 'acc_1')
  assert.equal(fault, null)
})
