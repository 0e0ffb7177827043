import { CELLS, cellOf, cellsIn } from '../filter/cell-grid.ts'
import type { FieldConditions, LiveFilter } from '../filter/filter/filter.ts'
import { boundingBoxOf } from '../filter/filter/matches.ts'
import type { Route } from '../filter/filter/route.ts'
import type { IndexedFields } from '../filter/indexed-fields.ts'
import { boxOf, expandBox } from '../lib/geometry/geometry.ts'
import { coversCell } from './covers-cell.ts'

/** An incident's id, an LGA's code, a state's code, a cell of the grid, or everywhere. */
export type BucketName = string | number

const EVERYWHERE: readonly BucketName[] = ['everywhere']
/** These counts only decide which dimension is most selective; they need not be exact. */
const LGA_COUNT = 774
const STATE_COUNT = 37
/** In more cells than this, a filter costs more memory than it saves time. */
const MAX_CELLS = 400

export interface FilterBuckets {
  readonly buckets: readonly BucketName[]
  /**
   * Whether being in this bucket alone decides that the filter applies there, without a check of
   * the place.
   */
  readonly decidesPlace: (bucket: BucketName) => boolean
}

/**
 * Chooses the buckets of a filter: those of its most selective dimension. An incident looks into
 * one bucket of each dimension, so it meets each filter at most once; only one that others were
 * merged into has several ids, and may meet a filter once for each.
 */
export function bucketsForFilter(filter: LiveFilter): FilterBuckets {
  const { incidents, lgas, states } = filter
  const cells = cellsFor(filter)
  const hasNoBox = boundingBoxOf(filter) === null
  const decided = (isDecided: boolean) => () => isDecided
  const namesNoPlace = states === null && lgas === null
  // Always these, so that no other bucket has to ask for ids.
  if (incidents !== null) return { buckets: incidents, decidesPlace: decided(namesNoPlace && hasNoBox) }
  const dimensions = [
    { names: lgas, share: (lgas?.length ?? 0) / LGA_COUNT, decidesPlace: decided(states === null && hasNoBox) },
    { names: states, share: (states?.length ?? 0) / STATE_COUNT, decidesPlace: decided(lgas === null && hasNoBox) },
    {
      names: cells,
      share: (cells?.length ?? 0) / CELLS,
      decidesPlace: (cell: BucketName) => namesNoPlace && coversCell(filter, cell as number),
    },
  ]
  const [best] = dimensions.filter(({ names }) => names !== null).sort((one, other) => one.share - other.share)
  return { buckets: best?.names ?? EVERYWHERE, decidesPlace: best?.decidesPlace ?? decided(hasNoBox) }
}

export function bucketsForFields(
  { lga, state, lat, lng }: IndexedFields,
  ids: readonly string[],
): readonly BucketName[] {
  const others = [...ids, state, cellOf(lat, lng), ...EVERYWHERE]
  return lga === null ? others : [lga, ...others]
}

function cellsFor(filter: FieldConditions): readonly number[] | null {
  const box = boundingBoxOf(filter)
  if (box === null) return null
  const alongRoute = filter.route !== null && filter.box === null && filter.circle === null && filter.region === null
  const cells = alongRoute ? cellsAlong(filter.route) : cellsIn(box)
  return cells.length > MAX_CELLS ? null : cells
}

/** Routes are split: the box around a road from corner to corner holds half the country. */
const MAX_PIECE_DEGREES = 0.2

function cellsAlong({ line, bufferKm }: Route): readonly number[] {
  const cells = new Set<number>()
  for (let at = 2; at < line.length; at += 2) {
    const [fromLng, fromLat, toLng, toLat] = line.subarray(at - 2, at + 2) as unknown as [
      number,
      number,
      number,
      number,
    ]
    const pieces = Math.ceil(Math.max(Math.abs(toLng - fromLng), Math.abs(toLat - fromLat)) / MAX_PIECE_DEGREES)
    const along = (share: number) => [fromLng + share * (toLng - fromLng), fromLat + share * (toLat - fromLat)]
    for (let piece = 0; piece < pieces; piece++) {
      const ends = Float64Array.from([...along(piece / pieces), ...along((piece + 1) / pieces)])
      for (const cell of cellsIn(expandBox(boxOf([ends]), bufferKm))) cells.add(cell)
    }
  }
  return [...cells]
}
