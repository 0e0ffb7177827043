import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandsOf, canonicalAddress, fingerprintOf, NEAR_IDENTICAL, similarityOf } from '../../src/domain/same-story.ts'

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
