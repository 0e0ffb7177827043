import assert from 'node:assert/strict'
import { test } from 'node:test'
import { places } from '../../src/geo/places.ts'

/** Number of LGAs per state, from the constitution's first schedule. */
const COUNTS: Readonly<Record<string, number>> = {
  ...{
    Abia: 17,
    Adamawa: 21,
    'Akwa Ibom': 31,
    Anambra: 21,
    Bauchi: 20,
    Bayelsa: 8,
    Benue: 23,
    Borno: 27,
    'Cross River': 18,
  },
  ...{
    Delta: 25,
    Ebonyi: 13,
    Edo: 18,
    Ekiti: 16,
    Enugu: 17,
    'Federal Capital Territory': 6,
    Gombe: 11,
    Imo: 27,
    Jigawa: 27,
  },
  ...{
    Kaduna: 23,
    Kano: 44,
    Katsina: 34,
    Kebbi: 21,
    Kogi: 21,
    Kwara: 16,
    Lagos: 20,
    Nasarawa: 13,
    Niger: 25,
    Ogun: 20,
  },
  ...{ Ondo: 18, Osun: 30, Oyo: 33, Plateau: 17, Rivers: 23, Sokoto: 23, Taraba: 16, Yobe: 17, Zamfara: 14 },
}

test('there are 37 states and 774 LGAs, each state with its own number of them', () => {
  assert.equal(places.states.length, 37)
  assert.equal(places.lgas.length, 774)
  assert.equal(new Set(places.lgas.map(({ code }) => code)).size, 774)
  for (const state of places.states) {
    const count = places.lgas.filter((lga) => lga.state === state).length
    assert.equal(count, COUNTS[state.name], state.name)
  }
})

test('an LGA code is the state code and the name in capitals', () => {
  for (const { code, name, state } of places.lgas) {
    assert.match(code, /^NG-[A-Z]{2}(-[A-Z0-9]+)+$/)
    assert.equal(code, `${state.code}-${name.toUpperCase().replace(/[^A-Z0-9]+/g, '-')}`)
  }
})

test('every state and LGA is found by its name and by its code', () => {
  for (const state of places.states) {
    assert.deepEqual(places.findState(state.name), { kind: 'found', place: state })
    assert.deepEqual(places.findState(state.code.toLowerCase()), { kind: 'found', place: state })
  }
  for (const lga of places.lgas) {
    assert.deepEqual(places.findLga(lga.name, [lga.state.code]), { kind: 'found', place: lga })
    assert.deepEqual(places.findLga(lga.code, null), { kind: 'found', place: lga })
  }
})

test('a name that several states have needs its state', () => {
  const shared = Object.entries(Object.groupBy(places.lgas, ({ name }) => name)).filter(([, same]) => same!.length > 1)
  assert.deepEqual(shared.map(([name]) => name).sort(), [
    'Bassa',
    'Ifelodun',
    'Irepodun',
    'Nasarawa',
    'Obi',
    'Surulere',
  ])
  for (const [name, same] of shared) assert.deepEqual(places.findLga(name, null), { kind: 'ambiguous', places: same })
  const found = places.findLga('surulere', ['NG-OY'])
  assert.equal(found.kind === 'found' && found.place.code, 'NG-OY-SURULERE')
})

test('a name known in another state is elsewhere, not unknown', () => {
  const found = places.findLga('Chikun', ['NG-KN', 'NG-KT'])
  assert.equal(found.kind, 'elsewhere')
  assert.deepEqual(found.kind === 'elsewhere' && found.places.map(({ code }) => code), ['NG-KD-CHIKUN'])
})

test('a name comes before an alias, and an alias helps where the state has no such name', () => {
  const anywhere = places.findLga('Ado', null)
  assert.equal(anywhere.kind === 'found' && anywhere.place.code, 'NG-BE-ADO')
  const inEkiti = places.findLga('Ado', ['NG-EK'])
  assert.equal(inEkiti.kind === 'found' && inEkiti.place.code, 'NG-EK-ADO-EKITI')
})

test('an unknown name gets suggestions, also from its aliases', () => {
  assert.deepEqual(places.findState('Kadunna'), { kind: 'unknown', suggestions: ['Kaduna'] })
  const first = (name: string): string | undefined => {
    const found = places.findLga(name, null)
    return found.kind === 'unknown' ? found.suggestions[0] : undefined
  }
  assert.equal(first('Chikum'), 'Chikun')
  assert.equal(first('Chafee'), 'Tsafe')
  const owerri = places.findLga('Owerri', null)
  assert.deepEqual(owerri.kind === 'unknown' && owerri.suggestions, ['Owerri Municipal', 'Owerri North', 'Owerri West'])
})

test('hostile names are unknown and harmless', () => {
  const hostile = [
    '',
    ' ',
    '__proto__',
    'constructor',
    'toString',
    '\0',
    'ﷺ'.repeat(1000),
    'a'.repeat(5_000_000),
    '\ud800',
    '%00',
    "' or 1=1",
    '‮',
  ]
  for (const name of hostile) {
    assert.equal(places.findState(name).kind, 'unknown', name.slice(0, 20))
    assert.equal(places.findLga(name, null).kind, 'unknown', name.slice(0, 20))
  }
})

test('the misplaced namesakes have centres in their own states', () => {
  const near: Readonly<Record<string, readonly [number, number]>> = {
    'NG-BE-OBI': [7.0, 8.3],
    'NG-KN-NASARAWA': [12.0, 8.6],
    'NG-KO-BASSA': [7.8, 7.0],
    'NG-KW-IFELODUN': [8.6, 5.0],
    'NG-KW-IREPODUN': [8.2, 5.0],
    'NG-OY-SURULERE': [8.1, 4.4],
    'NG-OS-OSOGBO': [7.8, 4.5],
    'NG-OS-IFEDAYO': [8.0, 5.0],
    'NG-ON-OKITIPUPA': [6.5, 4.8],
  }
  for (const [code, [lat, lng]] of Object.entries(near)) {
    const lga = places.lgas.find((each) => each.code === code)!
    assert.ok(Math.abs(lga.lat - lat) < 0.4 && Math.abs(lga.lng - lng) < 0.4, `${code} is at ${lga.lat}, ${lga.lng}`)
  }
})
