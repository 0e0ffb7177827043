import { PbfWriter } from 'pbf'
import { EXTENT_BITS } from '../../../filter/map/mark-grid.ts'

type Value = string | number | boolean

/** Coordinates are below 2 ** EXTENT_BITS. Null properties are left out: the format has no null. */
export interface Point {
  readonly x: number
  readonly y: number
  readonly properties: Readonly<Record<string, Value | null>>
}

// The field numbers of https://github.com/mapbox/vector-tile-spec/tree/master/2.1
const TILE = { layer: 3 } as const
const LAYER = { name: 1, feature: 2, key: 3, value: 4, extent: 5, version: 15 } as const
const FEATURE = { tags: 2, type: 3, geometry: 4 } as const
const VALUE = { string: 1, double: 3, uint: 5, bool: 7 } as const
const POINT = 1
/** The geometry command for one `MoveTo`. */
const MOVE_TO = (1 << 3) | 1

/** Mapbox Vector Tile 2 with one layer of points. */
export function writeVectorTile(layer: string, points: Iterable<Point>): Uint8Array {
  const tile = new PbfWriter()
  tile.writeMessage(TILE.layer, writeLayer, { layer, points })
  return tile.finish()
}

function writeLayer({ layer, points }: { layer: string; points: Iterable<Point> }, writer: PbfWriter): void {
  writer.writeVarintField(LAYER.version, 2)
  writer.writeStringField(LAYER.name, layer)
  writer.writeVarintField(LAYER.extent, 1 << EXTENT_BITS)
  const keys = new ValueIndex<string>()
  const values = new ValueIndex<Value>()
  for (const { x, y, properties } of points) {
    const tags: number[] = []
    for (const key in properties) {
      const value = properties[key]!
      if (value !== null) tags.push(keys.indexOf(key), values.indexOf(value))
    }
    writer.writeMessage(LAYER.feature, writeFeature, { x, y, tags })
  }
  for (const key of keys) writer.writeStringField(LAYER.key, key)
  for (const value of values) writer.writeMessage(LAYER.value, writeValue, value)
}

function writeFeature({ x, y, tags }: { x: number; y: number; tags: number[] }, writer: PbfWriter): void {
  writer.writePackedVarint(FEATURE.tags, tags)
  writer.writeVarintField(FEATURE.type, POINT)
  // Zigzag encoding doubles non-negative numbers; these are never negative.
  writer.writePackedVarint(FEATURE.geometry, [MOVE_TO, x * 2, y * 2])
}

function writeValue(value: Value, writer: PbfWriter): void {
  if (typeof value === 'string') writer.writeStringField(VALUE.string, value)
  else if (typeof value === 'boolean') writer.writeBooleanField(VALUE.bool, value)
  else if (Number.isInteger(value) && value >= 0) writer.writeVarintField(VALUE.uint, value)
  else writer.writeDoubleField(VALUE.double, value)
}

/** Numbers distinct values in order of first use. */
class ValueIndex<Item> {
  readonly #numbers = new Map<Item, number>()

  indexOf(value: Item): number {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(value, number)
    }
    return number
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#numbers.keys()
  }
}
