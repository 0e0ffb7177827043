import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { test } from 'node:test'
import { NameServer } from '../../../resilience/harness/names/name-server.ts'
import {
  dnsClient,
  HostsFile,
  namesToTry,
  parseHosts,
  parseSearchDomains,
} from '../../../src/deliveries/guard/dns-client.ts'

test('a name server is asked, with search domains for short names', async () => {
  const addresses: Record<string, string> = { 'a.org': '192.0.2.1', 'receiver.default.svc': '10.0.0.7' }
  await using server = await NameServer.listen((name) => addresses[name] ?? 'unknown')
  const resolve = dnsClient({ servers: [server.address], searchDomains: ['default.svc', 'svc'] })
  assert.deepEqual(await resolve('a.org'), [{ address: '192.0.2.1', family: 4, ttl: 1 }])
  assert.deepEqual(await resolve('receiver'), [{ address: '10.0.0.7', family: 4, ttl: 1 }])
  assert.deepEqual(await resolve('receiver.default'), [{ address: '10.0.0.7', family: 4, ttl: 1 }])
  assert.deepEqual(await resolve('nowhere.org'), [])
})

test('a silent name delays no other one, nor what uses the thread pool', async () => {
  await using server = await NameServer.listen((name) => (name.startsWith('silent') ? 'silent' : '192.0.2.1'))
  const resolve = dnsClient({ servers: [server.address], searchDomains: [] })
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
