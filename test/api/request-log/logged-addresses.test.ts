import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { LoggedAddresses } from '../../../src/api/request-log.ts'

const DAY_MS = 86_400_000
const MORNING = Date.UTC(2026, 10, 16, 6)

test('a hash stays the same for a day, differs between addresses, and does not contain the address', () => {
  const addresses = new LoggedAddresses('hashed', randomBytes)
  const one = addresses.textOf(() => '192.0.2.1', MORNING)
  assert.match(one!, /^[0-9a-f]{12}$/)
  assert.equal(
    addresses.textOf(() => '192.0.2.1', MORNING + DAY_MS / 2),
    one,
  )
  assert.notEqual(
    addresses.textOf(() => '192.0.2.2', MORNING),
    one,
  )
})

test('the next day (UTC) and another start have other hashes', () => {
  const addresses = new LoggedAddresses('hashed', randomBytes)
  const before = addresses.textOf(() => '192.0.2.1', MORNING)
  const after = addresses.textOf(() => '192.0.2.1', MORNING + DAY_MS)
  const elsewhere = new LoggedAddresses('hashed', randomBytes).textOf(() => '192.0.2.1', MORNING)
  assert.equal(new Set([before, after, elsewhere]).size, 3)
})

test('the /64 of an IPv6 address is one client', () => {
  const addresses = new LoggedAddresses('hashed', randomBytes)
  assert.equal(
    addresses.textOf(() => '2001:db8:0:1::1', MORNING),
    addresses.textOf(() => '2001:db8:0:1:ffff::2', MORNING),
  )
})

test('the address is logged, or not even looked at', () => {
  const full = new LoggedAddresses('full', randomBytes)
  assert.equal(
    full.textOf(() => '192.0.2.1', MORNING),
    '192.0.2.1',
  )
  const none = new LoggedAddresses('none', randomBytes)
  const unread = () => assert.fail('the address was read')
  assert.equal(none.textOf(unread, MORNING), null)
})
