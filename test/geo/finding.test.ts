import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importedPlaces } from '../../bench/extraction/imported-places.ts'
import { absent } from '../../bench/extraction/rows.ts'
import { builtInGazetteer, builtInPlaces } from '../../src/geo/built-in-places.ts'
import { choosePlace, findPlace } from '../../src/geo/finding/find-place.ts'
import { gazetteerOf } from '../../src/geo/gazetteer.ts'
import fc, { anyText } from '../support/fast-check.ts'

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
    anyText({ maxLength: 300 }),
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

/**
 * The text, the state that it means (null: a question), and whether it is known to a settlement.
 */
const NAMES: readonly (readonly [text: string, state: string | null, settlement: boolean])[] = [
  ['Afaka', 'Kaduna', true],
  ['Wuse', 'Federal Capital Territory', true],
  ['along Birnin Gwari road, near Buruku', 'Kaduna', false],
  ['Abuja Municipality', 'Federal Capital Territory', false],
  ['Northern Nigeria', null, false],
  ['Ajaka', 'Kogi', true],
  ['Maiduguri town', 'Borno', true],
  ['Maiduguri', 'Borno', true],
  ['near Maiduguri', 'Borno', false],
  ['outskirts of Maiduguri', 'Borno', false],
  ['Maiduguri town (outskirts of)', 'Borno', false],
  ['Konduga (near)', 'Borno', false],
  ['20 kilometres south of Maiduguri', 'Borno', false],
  ['Maiduguri-Damaturu road', null, false],
  ['Maiduguri-Damaturu road, Borno State', 'Borno', false],
  ['along the Abuja–Kaduna road', null, false],
  ['the road between Benisheikh and Maiduguri', 'Borno', false],
  ['between Mubi and Michika', 'Adamawa', false],
  ['a village in Gwoza', 'Borno', false],
  ['Gwoza LGA', 'Borno', false],
  ['Gwoza town', 'Borno', true],
  ['Gwoza, Borno State', 'Borno', true],
  ['Sambisa forest', 'Borno', false],
  ['Lake Chad', 'Borno', false],
  ['Falgore forest, Kano State', 'Kano', false],
  ['Kano', 'Kano', false],
  ['Kano city', 'Kano', true],
  ['Kano State', 'Kano', false],
  ['Kaduna', 'Kaduna', false],
  ['Kaduna town', 'Kaduna', true],
  ['southern Kaduna', 'Kaduna', false],
  ['Plateau State', 'Plateau', false],
  ['Jos, Plateau', 'Plateau', true],
  ['Jos', 'Plateau', true],
  ['Niger State', 'Niger', false],
  ['the Niger Delta', null, false],
  ['Niger Republic', null, false],
  ['Delta State', 'Delta', false],
  ['Rivers State', 'Rivers', false],
  ['Port Harcourt, Rivers State', 'Rivers', true],
  ['Bassa', null, false],
  ['Ado', null, false],
  ['Bassa LGA, Plateau State', 'Plateau', false],
  ['Bassa LGA, Kogi State', 'Kogi', false],
  ['Obi LGA, Nasarawa State', 'Nasarawa', false],
  ['Surulere, Lagos', 'Lagos', true],
  ['Chibok', 'Borno', true],
  ['Chibok LGA', 'Borno', false],
  ['Dapchi, Yobe State', 'Yobe', true],
  ['Damaturu', 'Yobe', true],
  ['Potiskum town', 'Yobe', true],
  ['Zaria, Kaduna', 'Kaduna', true],
  ['Kwangila, Zaria', 'Kaduna', true],
  ['Makurdi, Benue', 'Benue', true],
  ['a community in Guma local government area of Benue', 'Benue', false],
  ['Gboko', 'Benue', true],
  ['Wukari, Taraba State', 'Taraba', true],
  ['Jalingo', 'Taraba', true],
  ['Yola', 'Adamawa', true],
  ['Lokoja', 'Kogi', true],
  ['Onitsha', 'Anambra', true],
  ['Owerri, Imo', 'Imo', true],
  ['Aba, Abia State', 'Abia', true],
  ['Yenagoa', 'Bayelsa', true],
  ['Warri', 'Delta', true],
  ['Calabar', 'Cross River', true],
  ['Ikorodu, Lagos State', 'Lagos', true],
  ['Sokoto State', 'Sokoto', false],
  ['Gusau', 'Zamfara', true],
  ['Anka, Zamfara', 'Zamfara', true],
  ['Jibia, Katsina State', 'Katsina', true],
  ['Adamawa, Borno and Yobe States', null, false],
  ['Borno', 'Borno', false],
]

describe('the place of', () => {
  for (const [text, state, settlement] of NAMES) {
    test(`“${text}” is in ${state ?? 'no state'}${settlement ? ', a settlement' : ''}`, () => {
      const chosen = choosePlace(findPlace(text))
      assert.equal(chosen?.state.name ?? null, state)
      assert.equal(chosen?.precision === 'settlement', settlement)
    })
  }
})

test('a candidate says what it was matched to, and how', () => {
  assert.deepEqual(findPlace('in Maiduguri')[0]?.matched, { how: 'exact', text: 'Maiduguri', start: 3, end: 12 })
  assert.equal(findPlace('Maidugurri')[0]?.matched.how, 'similar')
  assert.equal(findPlace('Benin')[0]?.matched.how, 'alias')
})

describe('with 51,200 names more, the place of', { skip: absent }, () => {
  const gazetteer = absent ? builtInGazetteer() : gazetteerOf([...builtInPlaces(), ...importedPlaces()])
  for (const [text, state] of NAMES) {
    test(`“${text}” is in ${state ?? 'no state'}, or a question`, () => {
      const chosen = choosePlace(findPlace(text, {}, { gazetteer }))
      assert.ok(chosen === null || chosen.state.name === state, `${chosen?.name}, ${chosen?.state.name}`)
    })
  }
})

/** The text, and the LGA that it names. */
const LGA_NAMES: readonly (readonly [text: string, lga: string])[] = [
  ['Abuja Municipality', 'Abuja Municipal'],
  ['AMAC', 'Abuja Municipal'],
  ['Barkin Ladi LGA, Plateau', 'Barkin Ladi'],
  ['Kala/Balge LGA', 'Kala/Balge'],
  ['Qua’an Pan LGA', "Qua'an Pan"],
]

describe('the LGA of', () => {
  for (const [text, lga] of LGA_NAMES) {
    test(`“${text}” is ${lga}`, () => assert.equal(choosePlace(findPlace(text))?.lga?.name, lga))
  }
})

describe('a location line', () => {
  for (const [text, name, precision] of [
    ['Gunmen attack Jos mosque and market. Chibok town, Borno State', 'Chibok', 'settlement'],
    ['Dukku, 80 kilometres from Gombe city', 'Dukku', 'settlement'],
    ['Gubio, Gubio Local Government Area', 'Gubio', 'settlement'],
  ] as const) {
    test(`“${text}” means ${name}, known to its ${precision}`, () => {
      const chosen = choosePlace(findPlace(text))
      assert.deepEqual([chosen?.name, chosen?.precision], [name, precision])
    })
  }
})
