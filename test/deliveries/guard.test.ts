import assert from 'node:assert/strict'
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { lookup as lookUpByNode } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { beforeEach, describe, it, test } from 'node:test'
import { NameServer } from '../../resilience/harness/names/name-server.ts'
import {
  dnsClient,
  HostsFile,
  namesToTry,
  parseHosts,
  parseSearchDomains,
  type ResolvedAddress,
} from '../../src/deliveries/guard/dns-client.ts'
import {
  addressRefusal,
  endpointFault,
  guardedLookup,
  RefusedAddress,
  urlFault,
} from '../../src/deliveries/guard/guard.ts'
import { NameError, NameResolver } from '../../src/deliveries/guard/name-resolver.ts'
import { SPELLINGS_OF_LOOPBACK } from '../support/receivers.ts'

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
  'cloud.org': ['169.254.169.254'],
  'provider.org': ['100.64.0.1'],
})

test('the host of a new watch is resolved, and a refused address is reported', async () => {
  const fault = (url: string, allowPrivate = false) => endpointFault(url, { allowPrivate, lookup }, 'acc_1')
  assert.equal(await fault('https://public.org/'), null)
  assert.equal(await fault('https://1.1.1.1/'), null)
  assert.equal(await fault('https://private.org/'), 'has the host private.org, which leads to a private address')
  assert.equal(await fault('https://half.org/'), 'has the host half.org, which leads to a private address')
  // Nobody learns whether it is this machine, its network, or the cloud around it.
  for (const name of ['cloud.org', 'provider.org'])
    assert.equal(await fault(`https://${name}/`), `has the host ${name}, which leads to a private address`)
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

let now: number
/** Answers of the name servers: addresses, a failure, or nothing for as long as it is pending. */
let answers: Map<string, readonly ResolvedAddress[] | Error | 'silent'>
let queries: string[]
let resolver: NameResolver
beforeEach(() => {
  now = 1_000_000
  answers = new Map()
  queries = []
  const resolveName = (name: string) => {
    queries.push(name)
    const answer = answers.get(name) ?? []
    if (answer === 'silent') return new Promise<never>(() => {})
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  }
  const hosts = { find: async (name: string) => (name === 'printer' ? [{ address: '10.0.0.9', family: 4 }] : null) }
  resolver = new NameResolver({ resolveName, hosts, clock: () => now })
})

const at = (address: string, ttl = 60): ResolvedAddress[] => [{ address, family: 4, ttl }]
const isCode = (code: string) => (error: unknown) => error instanceof NameError && error.code === code

describe('the name resolver', () => {
  it('answers from the hosts file without a query', async () => {
    assert.deepEqual(await resolver.resolve('printer'), [{ address: '10.0.0.9', family: 4 }])
    assert.deepEqual(queries, [])
  })

  it('keeps an answer for its lifetime, between 5 s and 5 minutes', async () => {
    for (const [name, ttl, kept] of [
      ['short.org', 0, 5_000],
      ['usual.org', 60, 60_000],
      ['long.org', 86_400, 300_000],
    ] as const) {
      answers.set(name, at('1.1.1.1', ttl))
      await resolver.resolve(name)
      now += kept - 1
      await resolver.resolve(name)
      assert.equal(queries.filter((query) => query === name).length, 1)
      now += 1
      await resolver.resolve(name)
      assert.equal(queries.filter((query) => query === name).length, 2)
    }
  })

  it('asks once for all that wait for a name, whatever its case', async () => {
    answers.set('a.org', at('1.1.1.1'))
    await Promise.all([resolver.resolve('a.org'), resolver.resolve('A.org'), resolver.resolve('a.org', 'acc_1')])
    assert.deepEqual(queries, ['a.org'])
  })

  it('remembers for 10 s that a name does not exist, and for 5 s that nobody knew', async () => {
    answers.set('away.org', new Error('ETIMEOUT'))
    await assert.rejects(resolver.resolve('nowhere.org'), isCode('ENOTFOUND'))
    await assert.rejects(resolver.resolve('away.org'), isCode('EAI_AGAIN'))
    now += 4_999
    await assert.rejects(resolver.resolve('nowhere.org'), isCode('ENOTFOUND'))
    await assert.rejects(resolver.resolve('away.org'), isCode('EAI_AGAIN'))
    assert.equal(queries.length, 2)
    now += 1
    answers.set('away.org', at('1.1.1.1'))
    await resolver.resolve('away.org')
    now += 5_000
    await assert.rejects(resolver.resolve('nowhere.org'), isCode('ENOTFOUND'))
    assert.equal(queries.length, 4)
  })

  it('uses an old answer for half an hour while the name servers fail or are silent', async () => {
    answers.set('a.org', at('1.1.1.1'))
    answers.set('b.org', at('1.1.1.2'))
    await resolver.resolve('a.org')
    await resolver.resolve('b.org')
    answers.set('a.org', new Error('ESERVFAIL'))
    answers.set('b.org', 'silent')
    now += 60_000 + 1_799_000
    assert.deepEqual(await resolver.resolve('a.org'), [{ address: '1.1.1.1', family: 4 }])
    assert.deepEqual(await resolver.resolve('a.org'), [{ address: '1.1.1.1', family: 4 }])
    assert.deepEqual(await resolver.resolve('b.org'), [{ address: '1.1.1.2', family: 4 }])
    now += 6_000
    await assert.rejects(resolver.resolve('a.org'), isCode('EAI_AGAIN'))
  })

  it('forgets an old answer when the name no longer exists', async () => {
    answers.set('a.org', at('1.1.1.1'))
    await resolver.resolve('a.org')
    answers.delete('a.org')
    now += 60_000
    await assert.rejects(resolver.resolve('a.org'), isCode('ENOTFOUND'))
  })

  it('lets an account with silent names wait for itself, and nobody else', async () => {
    for (let number = 0; number < 100; number++) {
      answers.set(`silent${number}.org`, 'silent')
      resolver.resolve(`silent${number}.org`, 'attacker').catch(() => {})
    }
    answers.set('a.org', at('1.1.1.1'))
    assert.equal((await resolver.resolve('a.org', 'victim')).length, 1)
    assert.equal(queries.filter((name) => name.startsWith('silent')).length, 16)
    await assert.rejects(resolver.resolve('b.org', 'attacker'), isCode('EAI_AGAIN'))
  })

  it('gives each of thousands of accounts with silent names one query', async () => {
    for (let number = 0; number < 3_000; number++) {
      answers.set(`silent${number}.org`, 'silent')
      resolver.resolve(`silent${number}.org`, `attacker ${number % 1_500}`).catch(() => {})
    }
    answers.set('a.org', at('1.1.1.1'))
    assert.equal((await resolver.resolve('a.org', 'victim')).length, 1)
  })
})

test('a name server is asked, with search domains for short names', async () => {
  const addresses: Record<string, string> = { 'a.org': '192.0.2.1', 'receiver.default.svc': '10.0.0.7' }
  await using server = await NameServer.listen((name) => addresses[name] ?? 'unknown')
  const resolve = dnsClient([server.address], ['default.svc', 'svc'])
  assert.deepEqual(await resolve('a.org'), [{ address: '192.0.2.1', family: 4, ttl: 1 }])
  assert.deepEqual(await resolve('receiver'), [{ address: '10.0.0.7', family: 4, ttl: 1 }])
  assert.deepEqual(await resolve('receiver.default'), [{ address: '10.0.0.7', family: 4, ttl: 1 }])
  assert.deepEqual(await resolve('nowhere.org'), [])
})

test('a silent name delays no other one, nor what uses the thread pool', async () => {
  await using server = await NameServer.listen((name) => (name.startsWith('silent') ? 'silent' : '192.0.2.1'))
  const resolve = dnsClient([server.address], [])
  let failures = 0
  const silent = Array.from({ length: 50 }, (_, number) =>
    resolve(`silent${number}.org`).catch(() => {
      failures++
    }),
  )
  assert.equal((await resolve('a.org')).length, 1)
  await lookUpByNode('localhost')
  assert.equal(failures, 0, 'the silent names are still waited for')
  await Promise.all(silent)
  assert.equal(failures, 50)
})

test('the hosts file gives names addresses, several lines several', async () => {
  const names = parseHosts(
    '127.0.0.1 localhost # here\n\n::1\tLOCALHOST ip6-localhost\n10.0.0.7 receiver\nnonsense x\n',
  )
  assert.deepEqual(names.get('localhost'), [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
  assert.deepEqual(names.get('receiver'), [{ address: '10.0.0.7', family: 4 }])
  assert.equal(names.has('x'), false)
  const missing = new HostsFile('/nowhere/hosts')
  assert.deepEqual(
    (await missing.find('a.localhost'))?.map(({ family }) => family),
    [4, 6],
  )
  assert.equal(await missing.find('a.org'), null)
})

test('search domains complete short names first, and names with a dot last', () => {
  const domains = parseSearchDomains('nameserver 10.0.0.2\nsearch old\nsearch default.svc svc .\noptions ndots:5\n')
  assert.deepEqual(domains, ['default.svc', 'svc'])
  assert.deepEqual(namesToTry('receiver', domains), ['receiver.default.svc', 'receiver.svc', 'receiver'])
  assert.deepEqual(namesToTry('a.org', ['svc']), ['a.org', 'a.org.svc'])
})
