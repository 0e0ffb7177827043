import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { OVERVIEW_HEIGHT, OVERVIEW_WIDTH } from '../../src/filter/overview-map.ts'
import { statesGeoJson } from '../../src/geo/boundaries.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { findOutlines, simplify } from '../../src/pages/outlines.ts'

const { land, borders } = runToEnd(findOutlines(statesGeoJson()))

/** The absolute points of each line of path data. */
function linesOf(path: string): { x: number; y: number }[][] {
  return path.split(/(?=M)/).map((part) => {
    const [x = 0, y = 0, ...steps] = part.match(/-?\d+/g)!.map(Number)
    const points = [{ x, y }]
    for (let at = 0; at < steps.length; at += 2) {
      const last = points.at(-1)!
      points.push({ x: last.x + steps[at]!, y: last.y + steps[at + 1]! })
    }
    return points
  })
}

test('the states’ outlines are small', () => {
  const bytes = gzipSync(land + borders).length
  assert.ok(bytes > 1000 && bytes < 6000, `${bytes} bytes`)
})

test('the country is closed and lies within the map', () => {
  for (const ring of linesOf(land)) {
    assert.deepEqual(ring[0], ring.at(-1))
    for (const { x, y } of ring) assert.ok(x >= 0 && y >= 0 && x <= OVERVIEW_WIDTH && y <= OVERVIEW_HEIGHT)
  }
  const widest = Math.max(...linesOf(land).map((ring) => Math.max(...ring.map(({ x }) => x))))
  assert.ok(widest > OVERVIEW_WIDTH * 0.95)
})

test('each border between states is drawn once, and ends where others begin', () => {
  const lines = linesOf(borders)
  const ends = new Map<string, number>()
  for (const line of lines)
    for (const { x, y } of [line[0]!, line.at(-1)!]) ends.set(`${x},${y}`, (ends.get(`${x},${y}`) ?? 0) + 1)
  const coast = new Set(linesOf(land).flatMap((ring) => ring.map(({ x, y }) => `${x},${y}`)))
  const loose = [...ends].filter(([key, count]) => count < 2 && !coast.has(key))
  assert.deepEqual(loose, [])
  assert.equal(new Set(lines.map((line) => JSON.stringify(line))).size, lines.length)
  assert.ok(lines.length > 60, `${lines.length} borders`)
})

test('the outlines are found in steps, none of which takes long', () => {
  const steps = [...findOutlines(statesGeoJson())].length
  assert.ok(steps > 150, `${steps} steps`)
})

test('simplifying keeps the ends and every point beyond the tolerance', () => {
  const line = [
    { x: 0, y: 0 },
    { x: 5, y: 1 },
    { x: 10, y: 3 },
    { x: 20, y: 0 },
  ]
  assert.deepEqual(simplify(line, 1), [line[0], line[2], line[3]])
})
