import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canonicalAddress, mailboxOf, parseEmailAddress } from '../../src/domain/email-address.ts'

const TAKEN = {
  'ada@example.org': 'ada@example.org',
  ' ADA@Example.ORG. ': 'ada@example.org',
  'Ada+Feed@example.org': 'ada+feed@example.org',
  "o'hara@example.org": "o'hara@example.org",
  'ada@Bücher.NG': 'ada@xn--bcher-kva.ng',
  'ada@xn--bcher-kva.ng': 'ada@xn--bcher-kva.ng',
  'ada@ｅxample.org': 'ada@example.org',
  [`${'a'.repeat(64)}@example.org`]: `${'a'.repeat(64)}@example.org`,
}

const REFUSED = {
  'ada\0@example.org': /control characters/,
  'ada@example.org\r\n': /control characters/,
  '"ada"@example.org': /without quotes/,
  '"\\a"@example.org': /without quotes/,
  'ada@eve@example.org': /without quotes/,
  'ada(at home)@example.org': /without quotes/,
  'Ada <ada@example.org>': /without quotes/,
  'ada@example.org,eve@example.org': /without quotes/,
  'ada.@example.org': /before the @/,
  'ọlá@example.org': /before the @/,
  // The sign for Kelvin, of which the small letter is k.
  '\u212Aate@example.org': /before the @/,
  [`${'a'.repeat(65)}@example.org`]: /1 to 64/,
  'ada@localhost': /domain with a dot/,
  'ada@[127.0.0.1]': /domain with a dot/,
  'ada@127.0.0.1': /domain with a dot/,
  'ada@0x7f.1': /domain with a dot/,
  'ada@example.org:25': /domain with a dot/,
  'ada@ex%61mple.org': /domain with a dot/,
  'ada@example..org': /domain with a dot/,
  'ada@-example.org': /domain with a dot/,
  [`ada@${'a'.repeat(64)}.org`]: /domain with a dot/,
  [`ada@${'abcdefg.'.repeat(32)}org`]: /at most 254|domain with a dot/,
  'ada@\ud800.org': /domain with a dot/,
  ada: /as name@example\.org/,
  '': /as name@example\.org/,
}

describe('an e-mail address', () => {
  for (const [typed, address] of Object.entries(TAKEN))
    test(`${JSON.stringify(typed)} has one form, which is its own form`, () => {
      assert.deepEqual(parseEmailAddress(typed), { address })
      assert.equal(canonicalAddress(address), address)
    })

  for (const [typed, fault] of Object.entries(REFUSED))
    test(`${JSON.stringify(typed.slice(0, 40))} is refused, and the fault says what is right`, () => {
      const parsed = parseEmailAddress(typed)
      assert.match('fault' in parsed ? parsed.fault : parsed.address, fault)
      assert.throws(() => canonicalAddress(typed), TypeError)
    })

  test('with a tag is another address of the same mailbox', () => {
    assert.notEqual(canonicalAddress('ada+feed@example.org'), canonicalAddress('ada@example.org'))
    assert.equal(mailboxOf('Ada+Feed@example.org'), mailboxOf('ada@Example.org'))
  })
})
