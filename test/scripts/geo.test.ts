import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extentsOf } from '../../scripts/geo/partition/extents.ts'
import { distancesTo, gridOver, rasterise } from '../../scripts/geo/partition/grid.ts'
import { countLabels, mostLikelyLabel } from '../../scripts/geo/partition/partition.ts'
import { RegionReach } from '../../scripts/geo/partition/region-reach.ts'
import { LGA_ALIASES, STATE_ALIASES } from '../../scripts/geo/sources/aliases.ts'
import { CORRECTIONS } from '../../scripts/geo/sources/corrections.ts'
import { areaCodes, settlements } from '../../scripts/geo/sources/gazetteer.ts'
import { lgaCode, nameLgas } from '../../scripts/geo/sources/lgas.ts'
import { simplifyArcs } from '../../scripts/geo/sources/topology.ts'
import { areaOf } from '../../src/geo/area-index.ts'
import { lgaRecords, stateRecords } from '../../src/geo/data.ts'
import { nameKey } from '../../src/geo/names.ts'

const CELL = 0.2
type Box = readonly [number, number, number, number]

const rectangle = ([west, south, east, north]: Box) =>
  areaOf([Float64Array.of(west, south, east, south, east, north, west, north, west, south)])

function lga(code: string, box: Box | null, lng: number, lat: number) {
  return { code, state: 'NG-XX', lat, lng, box }
}

/**
 * One state, 4 by 2 degrees, of three LGAs: the two in the west share a strip of longitude, the
 * third has no box.
 */
const STATE: Box = [6, 8, 10, 10]
const LGAS = [lga('west', [6, 8, 8, 10], 6.8, 9), lga('middle', [7, 8, 9, 10], 8.2, 9), lga('east', null, 9.6, 9)]

test('a partition respects the boxes, fills the state and gives the rest to the LGA without a box', () => {
  const grid = gridOver(CELL)
  const knownPlaces = [{ name: 'Ward', lat: 8.3, lng: 7.9, state: 'NG-XX', lga: 'west' }]
  const extents = extentsOf(grid, LGAS, ['NG-XX'], knownPlaces)
  const seen = countLabels(grid, [rectangle(STATE)], extents, [1])
  const at = (lat: number, lng: number): string => LGAS[mostLikelyLabel(seen, extents, lat, lng)]?.code ?? 'outside'
  assert.equal(at(9, 6.5), 'west')
  assert.equal(at(9, 8.5), 'middle')
  assert.equal(at(9, 9.6), 'east')
  assert.equal(at(8.3, 7.9), 'west', 'a place draws its surroundings to its LGA')
  assert.equal(at(9, 3), 'outside')
  assert.equal(at(9, 12), 'outside')
})

test('the same seed gives the same partition', () => {
  const grid = gridOver(CELL)
  const extents = extentsOf(grid, LGAS, ['NG-XX'], [])
  const once = countLabels(grid, [rectangle(STATE)], extents, [7])
  const twice = countLabels(grid, [rectangle(STATE)], extents, [7])
  assert.deepEqual(once.counts, twice.counts)
})

test('an LGA without a box gets the size of its neighbours', () => {
  const [, , east] = extentsOf(gridOver(CELL), LGAS, ['NG-XX'], [])
  assert.equal(east!.exact, false)
  assert.deepEqual(
    east!.box.map((each) => Math.round(each * 10) / 10),
    [8.6, 8, 10.6, 10],
  )
})

test('distances grow from the area in every direction', () => {
  const grid = gridOver(CELL)
  const numbers = rasterise(grid, [rectangle([6, 8, 8, 10])], 1)
  const distances = distancesTo(grid, numbers, 0)
  const at = (lat: number, lng: number): number =>
    distances[Math.floor((lat - grid.south) / CELL) * grid.columns + Math.floor((lng - grid.west) / CELL)]!
  assert.equal(at(9, 7), 0)
  for (const [lat, lng] of [
    [9, 9],
    [9, 5],
    [11, 7],
    [7, 7],
  ] as const)
    assert.ok(Math.abs(at(lat, lng) - 111) < 25, `${at(lat, lng)}`)
})

test('a reach gives the gain and loss of a cell', () => {
  const [extent] = extentsOf(gridOver(CELL), [lga('west', [6, 8, 8, 10], 7, 9)], ['NG-XX'], [])
  const { firstRow, firstColumn } = extent!
  const reach = new RegionReach([extent!])
  reach.addCell(0, firstRow + 4, firstColumn + 4)
  assert.equal(reach.gain(0, firstRow + 4, firstColumn + 7), 3)
  assert.equal(reach.gain(0, firstRow, firstColumn), 8)
  reach.addCell(0, firstRow + 4, firstColumn + 7)
  assert.equal(reach.loss(0, firstRow + 4, firstColumn + 7), 3)
  reach.removeCell(0, firstRow + 4, firstColumn + 7)
  assert.equal(reach.gain(0, firstRow + 4, firstColumn + 6), 2)
})

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
