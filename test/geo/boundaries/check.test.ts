import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { checkBoundaries } from '../../../src/geo/boundaries/check.ts'
import { absent, boundaryText } from '../truth.ts'
import { boxFeatures, collection, type FeatureRecord } from './fixture.ts'

const whole = (): FeatureRecord[] => boxFeatures(({ name }, state) => ({ ADM2_EN: name, ADM1_EN: state }))
const check = (text: string) => checkBoundaries(Buffer.from(text))

test('a whole file is fine, and known by its SHA-256', () => {
  const text = collection(whole())
  const report = check(text)
  assert.deepEqual(report.problems, [])
  assert.equal(report.ok, true)
  assert.deepEqual([report.polygons, report.matched, report.bytes], [774, 774, Buffer.byteLength(text)])
  assert.equal(report.sha256, createHash('sha256').update(text).digest('hex'))
})

test('the real file is fine', { skip: absent }, () => {
  const { ok, problems, warnings } = check(boundaryText())
  assert.deepEqual({ ok, problems, warnings }, { ok: true, problems: [], warnings: [] })
})

const UNREADABLE = {
  nothing: '',
  'no JSON': '<html>',
  null: 'null',
  'a list': '[]',
  'a feature': '{"type":"Feature"}',
  'odd features': '{"type":"FeatureCollection","features":{}}',
}

describe('what is no boundary file is refused with a reason', () => {
  for (const [name, text] of Object.entries(UNREADABLE)) {
    test(name, () => {
      const { ok, problems, matching } = check(text)
      assert.deepEqual([ok, problems.length, matching], [false, 1, null])
    })
  }
})

type Ring = [number, number][]

const RINGS: Readonly<Record<string, readonly [ring: unknown, problem: RegExp]>> = {
  'too short': [
    [
      [7, 10],
      [8, 10],
      [7, 10],
    ],
    /fewer than four/,
  ],
  'not closed': [
    [
      [7, 10],
      [8, 10],
      [8, 11],
      [7, 11],
    ],
    /not closed/,
  ],
  'without an inside': [
    [
      [7, 10],
      [8, 10],
      [7, 10],
      [7, 10],
    ],
    /encloses nothing/,
  ],
  'in metres': [
    [
      [780_000, 1_100_000],
      [790_000, 1_100_000],
      [790_000, 1_200_000],
      [780_000, 1_100_000],
    ],
    /outside Nigeria/,
  ],
  'the wrong way round': [
    [
      [10, 70],
      [10, 80],
      [11, 80],
      [10, 70],
    ] satisfies Ring,
    /outside Nigeria/,
  ],
  'not numbers': [
    [
      ['7', '10'],
      ['8', '10'],
      ['8', '11'],
      ['7', '10'],
    ],
    /not a list of positions/,
  ],
  'not a list': ['ring', /not a list of positions/],
}

describe('a ring that cannot tell inside from outside is a problem', () => {
  for (const [name, [ring, problem]] of Object.entries(RINGS)) {
    test(name, () => {
      const features = whole()
      features[0]!.geometry.coordinates = [ring]
      const { ok, problems } = check(collection(features))
      assert.equal(ok, false)
      assert.ok(
        problems.some((each) => problem.test(each)),
        problems.join('\n'),
      )
    })
  }
})

test('a ring that crosses itself is a warning', () => {
  const features = whole()
  const [[corner, east, north, west]] = features[0]!.geometry.coordinates as [Ring]
  const halfway: [number, number] = [west![0], (corner![1] + west![1]) / 2]
  features[0]!.geometry.coordinates = [[corner, north, east, halfway, corner]]
  const { ok, warnings } = check(collection(features))
  assert.equal(ok, true)
  assert.match(warnings.join('\n'), /crosses itself/)
})

test('missing, duplicate and unmatched areas are problems, by name', () => {
  const features = whole().slice(1)
  features.push({ ...features[5]! }, { ...features[5]!, properties: { ADM2_EN: 'Atlantis' } })
  const { ok, problems } = check(collection(features))
  assert.equal(ok, false)
  assert.ok(problems.includes('the file has 775 areas, not 774'))
  assert.ok(problems.some((each) => /Aba North \(Abia\) is missing/.test(each)))
  assert.ok(problems.some((each) => /a second time/.test(each)))
  assert.ok(problems.some((each) => /“Atlantis” is not a known LGA/.test(each)))
})

test('features without properties or geometry are problems, not crashes', () => {
  const report = check(
    collection([null, 7, {}, { type: 'Feature', properties: null, geometry: null }, { properties: { __proto__: 1 } }]),
  )
  assert.equal(report.ok, false)
  assert.equal(report.matched, 0)
})
