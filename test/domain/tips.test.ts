import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { beginsWithZeroBits, parseReference, referenceFrom, withoutContacts } from '../../src/domain/tips.ts'

describe('a reference number', () => {
  const reference = referenceFrom(new Uint8Array(32).map((_, index) => index * 37))

  it('has four groups of four letters and digits that nobody confuses', () => {
    assert.match(reference, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
  })

  it('is read however people write it', () => {
    for (const written of [
      reference.toLowerCase(),
      reference.replaceAll('-', ''),
      ` ${reference.replaceAll('-', ' ')} `,
    ])
      assert.equal(parseReference(written), reference)
    assert.equal(parseReference('OOOO-IIII-LLLL-0000'), '0000-1111-1111-0000')
    for (const wrong of ['', 'U000-0000-0000-0000', '0000-0000-0000-000', '0000-0000-0000-00000'])
      assert.equal(parseReference(wrong), null, wrong)
  })
})

it('counts the zero bits at the beginning of a hash', () => {
  const hash = Uint8Array.of(0, 0b0001_0000, 255)
  for (const bits of [1, 7, 8, 9, 11]) assert.equal(beginsWithZeroBits(hash, bits), true, `${bits}`)
  for (const bits of [12, 13, 16, 20]) assert.equal(beginsWithZeroBits(hash, bits), false, `${bits}`)
})

describe('a summary', () => {
  it('has no telephone numbers and no e-mail addresses', () => {
    assert.equal(
      withoutContacts('Call me on 0803 123 4567 or +234-803-123-4567, amina.b@mail.example.ng, they took my son'),
      'Call me on [number] or [number], [contact], they took my son',
    )
  })

  it('keeps dates, times, sums and figures', () => {
    for (const text of [
      'On 12/11/2026 at 14:30 they took 250,000 naira',
      '11 people, 2 buses, 50000 naira, 2026-11-16',
    ])
      assert.equal(withoutContacts(text), text)
  })
})
