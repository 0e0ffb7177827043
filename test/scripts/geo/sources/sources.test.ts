import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LGA_ALIASES, STATE_ALIASES } from '../../../../scripts/geo/sources/aliases.ts'
import { CORRECTIONS } from '../../../../scripts/geo/sources/corrections.ts'
import { areaCodes, settlements } from '../../../../scripts/geo/sources/gazetteer.ts'
import { lgaCode, nameLgas } from '../../../../scripts/geo/sources/lgas.ts'
import { simplifyArcs } from '../../../../scripts/geo/sources/topology.ts'
import { lgaRecords, stateRecords } from '../../../../src/geo/data.ts'
import { nameKey } from '../../../../src/geo/names.ts'

test('a code is the state and the name, with one hyphen for all other characters', () => {
  assert.equal(lgaCode('NG-KD', 'Birnin Gwari'), 'NG-KD-BIRNIN-GWARI')
  assert.equal(lgaCode('NG-KD', "Jema'a"), 'NG-KD-JEMA-A')
  assert.equal(lgaCode('NG-RI', 'Ogba/Egbema/Ndoni'), 'NG-RI-OGBA-EGBEMA-NDONI')
})

test('every correction has a reason and a state, and leads to an LGA that exists', () => {
  const codes = new Set(lgaRecords.map(({ code }) => code))
  for (const { state, name, reason } of CORRECTIONS) {
    assert.ok(reason.length > 5)
    assert.ok(codes.has(lgaCode(state, name)), name)
  }
})

test('a correction or alias that applies to nothing stops the build', () => {
  assert.throws(() => nameLgas([]), /corrections that apply to nothing: Ataoja/)
})

test("no alias repeats its LGA's name, and every code in the tables exists", () => {
  const names = new Map([...lgaRecords, ...stateRecords].map(({ code, name }) => [code, name]))
  for (const code of [...Object.keys(LGA_ALIASES), ...Object.keys(STATE_ALIASES)]) assert.ok(names.has(code), code)
  for (const { name, aliases } of lgaRecords) {
    const keys = [name, ...aliases].map(nameKey)
    assert.equal(new Set(keys).size, keys.length, name)
  }
})

test('an unknown area of GeoNames stops the build with its name', () => {
  const states = [{ code: 'NG-KD', name: 'Kaduna', aliases: [] }]
  const lgas = [{ code: 'NG-KD-CHIKUN', name: 'Chikun', state: 'NG-KD', aliases: ['Chukun'] }]
  const kaduna = [{ code: 'NG.23', name: 'Kaduna State' }]
  const codes = areaCodes(kaduna, [{ code: 'NG.23.1', name: 'Chukun' }], states, lgas)
  assert.deepEqual([codes.get('NG.23'), codes.get('NG.23.1')], ['NG-KD', 'NG-KD-CHIKUN'])
  assert.throws(() => areaCodes(kaduna, [{ code: 'NG.23.2', name: 'Atlantis' }], states, lgas), /Atlantis \(NG-KD\)/)
})

test('a settlement takes aliases from a nearby entry of the same name, and no LGA whose box excludes it', () => {
  const anchor = { name: 'Zaria', lat: 11.11, lng: 7.72, state: 'NG-KD', lga: 'NG-KD-ZARIA' }
  const line = { name: 'Zaria', others: ['Zazzau', 'ZARIA'], lat: 11.11, lng: 7.72, kind: 'PPLA2', population: 975_000 }
  const far = { ...line, others: ['Elsewhere'], lat: 9 }
  const [inside] = settlements([anchor], [far, line], new Map([['NG-KD-ZARIA', [7.5, 11, 7.9, 11.2]]]))
  assert.deepEqual(inside, { ...anchor, population: 975_000, others: ['Zazzau'] })
  const [outside] = settlements([anchor], [], new Map([['NG-KD-ZARIA', [7.5, 10, 7.9, 10.2]]]))
  assert.deepEqual(outside, { ...anchor, lga: null, population: 0, others: [] })
})

test('simplifying keeps the ends of an arc and the points beyond the tolerance', () => {
  const transform = { scale: [0.5, 0.5], translate: [3, 4] } as const
  const { arcs } = simplifyArcs(
    {
      arcs: [
        [
          [0, 0],
          [2, 0],
          [2, 4],
          [2, -4],
          [2, 0],
        ],
      ],
      transform,
    },
    0.1,
  )
  assert.deepEqual(arcs, [
    [
      [3, 4],
      [4, 4],
      [5, 6],
      [6, 4],
      [7, 4],
    ],
  ])
  const flat = simplifyArcs(
    {
      arcs: [
        [
          [0, 0],
          [2, 0],
          [2, 0],
          [2, 0],
        ],
      ],
      transform,
    },
    0.1,
  )
  assert.deepEqual(flat.arcs, [
    [
      [3, 4],
      [6, 4],
    ],
  ])
})
