import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  independentSources,
  PUBLISHERS,
  publisherKey,
  reliabilityFrom,
  SOURCE_CLASSES,
} from '../../src/domain/confidence.ts'
import { bandsOf, canonicalAddress, fingerprintOf, NEAR_IDENTICAL, similarityOf } from '../../src/domain/same-story.ts'
import { nextPollAt, type PollResult } from '../../src/domain/sources.ts'
import { beginsWithZeroBits, parseReference, referenceFrom, withoutContacts } from '../../src/domain/tips.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const SUCCESS: PollResult = { failures: 0, problem: null, retryAfterMs: null, hasLeftOver: false }
const FAILED: PollResult = { ...SUCCESS, failures: 1, problem: 'server_error' }
const middle = () => 0.5

const CASES: readonly (readonly [what: string, result: PollResult, delay: number])[] = [
  ['a success waits for the interval', SUCCESS, 15 * MINUTE],
  ['items that are left over are read soon', { ...SUCCESS, hasLeftOver: true }, MINUTE],
  ['a first failure waits for the interval', FAILED, 15 * MINUTE],
  ['a third failure waits four times as long', { ...FAILED, failures: 3 }, 60 * MINUTE],
  ['many failures wait for a day', { ...FAILED, failures: 50 }, DAY],
  ['a longer wait that the server asks for counts', { ...FAILED, retryAfterMs: 5 * 60 * MINUTE }, 5 * 60 * MINUTE],
  ['a shorter one does not', { ...FAILED, retryAfterMs: 1 }, 15 * MINUTE],
  ['nobody can ask for more than a day', { ...FAILED, retryAfterMs: 90 * DAY }, DAY],
  ['a feed that is gone is asked once a day', { ...FAILED, problem: 'gone' }, DAY],
]

for (const [what, result, delay] of CASES)
  test(what, () => assert.equal(nextPollAt(result, 15, 1000, middle), 1000 + delay))

test('polls spread by a tenth', () => {
  assert.equal(
    nextPollAt(SUCCESS, 10, 0, () => 0),
    9 * MINUTE,
  )
  assert.equal(
    nextPollAt(SUCCESS, 10, 0, () => 1),
    11 * MINUTE,
  )
})

describe('publishers', () => {
  const reliability = reliabilityFrom()

  test('a publisher is known by its name, however it is written', () => {
    for (const name of [
      'Punch',
      'the punch',
      'PUNCH Newspapers',
      'Punch Online',
      'punchng.com',
      'https://www.punchng.com/',
    ]) {
      assert.equal(publisherKey(name), 'punch', name)
    }
    assert.notEqual(publisherKey('Daily Trust'), publisherKey('Daily Post'))
    assert.equal(publisherKey('صحيفة'), 'صحيفة')
  })

  test('no publisher is listed twice', () => {
    const first = Object.values(PUBLISHERS).flatMap((publishers) => publishers.map(([name]) => name!))
    assert.equal(new Set(first.map(publisherKey)).size, first.length)
    for (const kind of SOURCE_CLASSES) {
      for (const names of PUBLISHERS[kind] ?? []) {
        for (const name of names)
          assert.deepEqual([reliability(name), publisherKey(name)], [kind, publisherKey(names[0]!)])
      }
    }
  })

  test("an operator's table goes before the built-in one, and before what a report says of its source", () => {
    const edited = reliabilityFrom([
      ['THE PUNCH', 'local'],
      ['Village Voice', 'national'],
      ['Ministry of Rumours', 'social'],
    ])
    assert.equal(edited('punchng.com'), 'local')
    assert.equal(edited('village voice'), 'national')
    assert.equal(edited('Vanguard'), 'national')
    assert.equal(edited('Nobody'), 'unknown')
    const rumour = { publisher: 'Ministry of Rumours', url: null, official: true }
    assert.deepEqual(independentSources([rumour], edited), ['social'])
    assert.deepEqual(independentSources([rumour], reliability), ['official'])
  })
})

describe('same story', () => {
  const SAME: readonly (readonly [address: string, canonical: string | null])[] = [
    ['https://example.org/a', 'https://example.org/a'],
    ['http://www.example.org/a/', 'https://example.org/a'],
    ['https://m.example.org/a?utm_source=x&utm_medium=y#top', 'https://example.org/a'],
    ['https://Example.org:443/a/amp/', 'https://example.org/a'],
    ['https://example.org//a?b=2&a=1&fbclid=z', 'https://example.org/a?a=1&b=2'],
    ['https://example.org/?p=17', 'https://example.org?p=17'],
    ['https://example.org:8443/a', 'https://example.org:8443/a'],
    ['https://example.org/A', 'https://example.org/A'],
    ['ftp://example.org/a', null],
    ['no address', null],
    [`https://example.org/${'a'.repeat(3000)}`, null],
  ]

  for (const [address, canonical] of SAME)
    test(`${address.slice(0, 80)} is ${canonical}`, () => assert.equal(canonicalAddress(address), canonical))

  const STORY =
    'Gunmen on Tuesday abducted eleven travellers near Dansadau in Maru Local Government Area of Zamfara State, residents said. The attackers blocked the road in the evening and led the passengers of two buses into the forest. A driver who escaped said that soldiers came an hour later and found the buses empty.'

  function similarity(one: string, other: string): number {
    return similarityOf(fingerprintOf(one)!, fingerprintOf(other)!)
  }

  test('a copy with another dateline, case and punctuation is near-identical and shares a band', () => {
    const copy = `${STORY.toUpperCase().replaceAll(',', ';')} (NAN)`
    assert.ok(similarity(STORY, copy) >= NEAR_IDENTICAL)
    const bands = new Set(bandsOf(fingerprintOf(STORY)!))
    assert.ok(bandsOf(fingerprintOf(copy)!).some((band) => bands.has(band)))
  })

  test('a story of the same event in other words is not near-identical', () => {
    const retold =
      'No fewer than 11 passengers were kidnapped by bandits around Dansadau town, Maru LGA of Zamfara State, on Tuesday. A driver who escaped told our correspondent that the gunmen came on motorcycles.'
    assert.ok(similarity(STORY, retold) < 0.3)
  })

  test('half of the sequences in common give about a half', () => {
    const words = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `word${from + index}`).join(' ')
    const share = similarity(words(0, 300), words(100, 400))
    assert.ok(share > 0.3 && share < 0.7, `${share}`)
  })

  test('bands are whole numbers that a database holds exactly', () => {
    for (const band of bandsOf(fingerprintOf(STORY)!)) assert.ok(Number.isSafeInteger(band) && band >= 0)
  })

  test('a headline has no fingerprint', () => assert.equal(fingerprintOf('Gunmen kill five in Zamfara'), null))
})

describe('tips', () => {
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
})
