import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importedPlaces } from '../../../bench/extraction/imported-places.ts'
import { absent } from '../../../bench/extraction/rows.ts'
import { choosePlace } from '../../../src/geo/finding/choose-place.ts'
import { findPlace } from '../../../src/geo/finding/find-place.ts'
import { builtInGazetteer, builtInPlaces } from '../../../src/geo/gazetteer/built-in.ts'
import { gazetteerOf } from '../../../src/geo/gazetteer/live-gazetteer.ts'

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
  const gazetteer = absent ? builtInGazetteer : gazetteerOf([...builtInPlaces(), ...importedPlaces()])
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
