import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TileRenderer } from '../../../../src/api/tiles.ts'
import type { Archive } from '../../../../src/archive/archive.ts'
import { MERCATOR_BITS, mercatorX, mercatorY } from '../../../../src/archive/columns/columns.ts'
import type { Incident } from '../../../../src/domain/incident.ts'
import { EVERYTHING, type Filter, indexedFieldsOf } from '../../../../src/filter/filter.ts'
import { matches } from '../../../../src/filter/matches.ts'
import { DISC_RADIUS_PIXELS, EXTENT_BITS, TILE_PIXELS } from '../../../../src/filter/tile.ts'
import { places } from '../../../../src/geo/places.ts'
import { runToEnd } from '../../../../src/lib/steps.ts'
import { DAY, EPOCH, filter, incidentFrom, incidentParts } from '../../../support/arbitrary.ts'
import { anEvent, emptyArchive } from '../../../support/archive.ts'
import fc from '../../../support/fast-check.ts'
import { countIn, featuresOf } from '../../../support/readers.ts'
import { tries } from '../../../support/tier.ts'

const NOW = EPOCH + 13 * DAY
const ZOOMS = [4, 5, 6, 7, 8, 9, 10, 11, 12] as const
const CELLS_PER_TILE = 8
const UNITS_PER_PIXEL = 2 ** EXTENT_BITS / TILE_PIXELS
const renderer = new TileRenderer(places)

/** A mark with its position in pixels of the whole world at its zoom. */
interface Mark {
  readonly x: number
  readonly y: number
  readonly properties: Readonly<Record<string, unknown>>
}

interface Position {
  readonly lat: number
  readonly lng: number
}

const cellAt = (z: number, { lat, lng }: Position) => {
  const shift = MERCATOR_BITS - z - Math.log2(CELLS_PER_TILE)
  return `${mercatorX(lng) >> shift}/${mercatorY(lat) >> shift}`
}
const tileAt = (z: number, { lat, lng }: Position) => ({
  z,
  x: mercatorX(lng) >> (MERCATOR_BITS - z),
  y: mercatorY(lat) >> (MERCATOR_BITS - z),
})

/** Reads the marks of all tiles with incidents and of those around them. */
function marksAt(z: number, archive: Archive, incidents: readonly Position[], given: Filter = EVERYTHING) {
  const tiles = new Map<string, { z: number; x: number; y: number }>()
  for (const incident of incidents) {
    const { x, y } = tileAt(z, incident)
    for (const [dx, dy] of [-1, 0, 1].flatMap((across) => [-1, 0, 1].map((down) => [across, down] as const))) {
      if (x + dx < 0 || y + dy < 0 || x + dx >= 2 ** z || y + dy >= 2 ** z) continue
      tiles.set(`${x + dx}/${y + dy}`, { z, x: x + dx, y: y + dy })
    }
  }
  return [...tiles.values()].flatMap((tile): Mark[] => {
    const { body } = runToEnd(renderer.renderTile(archive.view, tile, given, NOW))
    return featuresOf(body).map(({ x, y, properties }) => ({
      x: tile.x * TILE_PIXELS + x / UNITS_PER_PIXEL,
      y: tile.y * TILE_PIXELS + y / UNITS_PER_PIXEL,
      properties,
    }))
  })
}

const cellOfMark = ({ x, y }: Mark) =>
  `${Math.floor(x / (TILE_PIXELS / CELLS_PER_TILE))}/${Math.floor(y / (TILE_PIXELS / CELLS_PER_TILE))}`

/** Some incidents lie close together, or at one point, around the corner where four tiles meet. */
const nearCorner = fc.record({ dx: fc.double({ min: -1, max: 1, noNaN: true }), same: fc.boolean() })
const scattered = fc
  .tuple(incidentParts, fc.option(nearCorner))
  .map(([parts, near]) =>
    near === null ? parts : { ...parts, lat: near.same ? 10.5 : near.dx / 30, lng: 11.25 + near.dx ** 3 / 10 },
  )
const incidents = fc.array(scattered, { minLength: 1, maxLength: 150, size: 'max' })

async function archiveOf(all: readonly Incident[]): Promise<Archive> {
  const archive = await emptyArchive()
  archive.apply(all.map((incident, index) => anEvent(index + 1, incident)))
  return archive
}

test('at every zoom from 4 to 12 each incident is in the mark of its own cell, and in no other tile', async () => {
  await fc.assert(
    fc.asyncProperty(incidents, filter, async (parts, given) => {
      const all = parts.map(incidentFrom)
      const archive = await archiveOf(all)
      const matching = all.filter((incident) => matches(given, indexedFieldsOf(incident), NOW))
      for (const z of ZOOMS) {
        const marks = marksAt(z, archive, all, given)
        assert.equal(countIn(marks as never), matching.length, `zoom ${z}`)
        const byCell = Map.groupBy(matching, (incident) => cellAt(z, incident))
        assert.equal(marks.length, byCell.size, `one mark in each cell at zoom ${z}`)
        for (const mark of marks) {
          const inCell = byCell.get(cellOfMark(mark)) ?? []
          const { id, count, imprecise } = mark.properties
          assert.equal(count ?? 1, inCell.length, `zoom ${z}`)
          if (count === undefined) assert.equal(id, inCell[0]!.id)
          else assert.equal(imprecise, inCell.filter(({ location }) => /^(lga|state)$/.test(location.precision)).length)
        }
      }
    }),
    { numRuns: tries(30) },
  )
})

test('at every zoom from 4 to 12 no two discs touch, across tiles too', async () => {
  await fc.assert(
    fc.asyncProperty(incidents, async (parts) => {
      const all = parts.map(incidentFrom)
      const archive = await archiveOf(all)
      for (const z of ZOOMS) {
        const discs = marksAt(z, archive, all).filter(({ properties }) => 'count' in properties)
        for (const [index, one] of discs.entries()) {
          for (const other of discs.slice(index + 1)) {
            const distance = Math.hypot(one.x - other.x, one.y - other.y)
            assert.ok(distance > 2 * DISC_RADIUS_PIXELS, `${distance} pixels apart at zoom ${z}`)
          }
        }
      }
    }),
    { numRuns: tries(30) },
  )
})

test('one more incident changes the mark of its own cell and no other', async () => {
  await fc.assert(
    fc.asyncProperty(incidents, scattered, async (parts, added) => {
      const all = parts.map(incidentFrom)
      const archive = await archiveOf(all)
      const incident = incidentFrom(added, all.length)
      const where = [...all, incident]
      const before = ZOOMS.map((z) => marksAt(z, archive, where))
      archive.apply([anEvent(all.length + 1, incident)])
      for (const [index, z] of ZOOMS.entries()) {
        const own = cellAt(z, incident)
        const others = (marks: readonly Mark[]) => marks.filter((mark) => cellOfMark(mark) !== own)
        const after = marksAt(z, archive, where)
        assert.deepEqual(others(after), others(before[index]!), `zoom ${z}`)
        assert.equal(countIn(after as never), all.length + 1)
      }
    }),
    { numRuns: tries(30) },
  )
})
