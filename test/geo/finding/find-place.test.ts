import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findPlace } from '../../../src/geo/finding/find-place.ts'
import fc from '../../support/fast-check.ts'

/** The text, and the best candidate's name, precision, state and LGA. */
const TEXTS: readonly (readonly [text: string, name: string, precision: string, state: string, lga: string | null])[] =
  [
    ['Maiduguri', 'Maiduguri', 'settlement', 'Borno', 'Maiduguri'],
    ['Kaduna', 'Kaduna', 'settlement', 'Kaduna', 'Kaduna North'],
    ['Lekki', 'Lekki', 'settlement', 'Lagos', 'Eti-Osa'],
    ['Jos', 'Jos', 'settlement', 'Plateau', 'Jos North'],
    ['Owerri', 'Owerri', 'settlement', 'Imo', 'Owerri Municipal'],
    ['Port Harcourt', 'Port Harcourt', 'settlement', 'Rivers', 'Port Harcourt'],
    ['Gwoza', 'Gwoza', 'settlement', 'Borno', 'Gwoza'],
    ['Zaria', 'Zaria', 'settlement', 'Kaduna', 'Sabon Gari'],
    ['Birnin Gwari', 'Birnin Gwari', 'settlement', 'Kaduna', 'Birnin Gwari'],
    ['Makurdi', 'Makurdi', 'settlement', 'Benue', 'Makurdi'],
    ['Abuja', 'Abuja', 'settlement', 'Federal Capital Territory', 'Abuja Municipal'],
    ['Chibok', 'Chibok', 'settlement', 'Borno', 'Chibok'],
    ['MAIDUGURI, BORNO STATE', 'Maiduguri', 'settlement', 'Borno', 'Maiduguri'],
    ['Zaria, Kaduna', 'Zaria', 'settlement', 'Kaduna', 'Sabon Gari'],
    ['Kagara, Rafi LGA, Niger State', 'Kagara', 'settlement', 'Niger', 'Rafi'],
    ['Surulere, Lagos', 'Surulere', 'settlement', 'Lagos', 'Surulere'],
    ['the market in Gamboru', 'Gamboru', 'settlement', 'Borno', 'Ngala'],
    ['Maidugari', 'Maiduguri', 'settlement', 'Borno', 'Maiduguri'],
    ['Gonin Gora, Chikun LGA, Kaduna State', 'Chikun', 'lga', 'Kaduna', 'Chikun'],
    ['a village of Bwari Area Council', 'Bwari', 'lga', 'Federal Capital Territory', 'Bwari'],
    ['somewhere in Zamfara State', 'Zamfara', 'state', 'Zamfara', null],
  ]

describe('the best candidate of', () => {
  for (const [text, name, precision, state, lga] of TEXTS) {
    test(`“${text}” is ${name}, known to its ${precision}`, () => {
      const best = findPlace(text)[0]
      assert.ok(best)
      assert.deepEqual(
        [best.name, best.precision, best.state.name, best.lga?.name ?? null],
        [name, precision, state, lga],
      )
    })
  }
})

test('the ends of a road get a low score, below places that it is near', () => {
  const ends = findPlace('along the Abuja–Kaduna road near Rijana')
  assert.deepEqual(
    ends.slice(0, 3).map(({ name }) => name),
    ['Abuja–Kaduna road', 'Abuja', 'Kaduna'],
  )
  assert.ok(ends.slice(1).every(({ score }) => score < 0.35))
  assert.ok(ends.every(({ precision }) => precision !== 'settlement'))
  const near = findPlace('along the Abuja–Kaduna road near Kagarko')
  assert.equal(near[0]?.lga?.name, 'Kagarko')
  assert.notEqual(near[0].precision, 'settlement')
})

test('a given state or LGA excludes everything outside it', () => {
  const everywhere = findPlace('Bassa')
  assert.ok(new Set(everywhere.map(({ state }) => state.name)).size > 1)
  const plateau = findPlace('Bassa', { state: 'Plateau' })
  assert.ok(plateau.length > 0 && plateau.every(({ state }) => state.name === 'Plateau'))
  const chikun = findPlace('Kaduna', { state: 'Kaduna', lga: 'Chikun' })
  assert.deepEqual(
    chikun.map(({ lga }) => lga?.name),
    ['Chikun'],
  )
  assert.deepEqual(findPlace('Kaduna', { state: 'Atlantis' }), [])
})

test('a contradiction in the text lowers the score', () => {
  const [right] = findPlace('Gwoza, Borno State')
  const wrong = findPlace('Gwoza, Lagos State').find(
    ({ name, precision }) => name === 'Gwoza' && precision === 'settlement',
  )
  assert.ok(right!.score > 2 * wrong!.score)
})

test('a vaguer candidate has a wider radius', () => {
  const [settlement] = findPlace('Chibok')
  const lga = findPlace('Chibok LGA')[0]
  const state = findPlace('Borno State')[0]
  assert.ok(settlement!.radius_km < lga!.radius_km && lga!.radius_km < state!.radius_km)
})

test('any text gets candidates in order, with scores from 0 to 1', () => {
  const words = fc.constantFrom(
    'Kaduna',
    'near',
    'road',
    ',',
    'State',
    'LGA',
    'Obi',
    '–',
    'between',
    'and',
    'to',
    "Jema'a",
    '__proto__',
    'ẹ',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(words, { maxLength: 40 }).map((all) => all.join(' ')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const scores = findPlace(text).map(({ score }) => score)
      assert.deepEqual(
        scores,
        [...scores].sort((one, other) => other - one),
      )
      assert.ok(scores.length <= 10 && scores.every((score) => score >= 0 && score <= 1))
    }),
  )
})

test('only the beginning of a long text is read', () => {
  assert.deepEqual(findPlace('x'.repeat(10_000_000)), [])
  assert.deepEqual(findPlace(',;'.repeat(1_000_000)), [])
})
