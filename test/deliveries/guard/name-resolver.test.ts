import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { beforeEach, describe, it, test } from 'node:test'
import { NameServer } from '../../../resilience/harness/names/name-server.ts'
import {
  dnsClient,
  HostsFile,
  namesToTry,
  parseHosts,
  parseSearchDomains,
  type ResolvedAddress,
} from '../../../src/deliveries/guard/dns-client.ts'
import { NameError, NameResolver } from '../../../src/deliveries/guard/name-resolver.ts'

let now: number
/** What the name servers answer: addresses, a failure, or nothing for as long as it is pending. */
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
  await lookup('localhost')
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
