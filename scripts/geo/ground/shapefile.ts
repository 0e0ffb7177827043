import { readFileSync } from 'node:fs'

export type Position = [number, number]

/** One record of a shapefile of lines or polygons: its parts, and its fields as text. */
export interface ShapeRecord {
  readonly parts: readonly (readonly Position[])[]
  readonly fields: Readonly<Record<string, string>>
}

/** The lengths of the headers, as Esri's and dBase's descriptions give them. */
const [SHP_HEADER, SHP_RECORD_HEADER, DBF_HEADER, DBF_FIELD] = [100, 8, 32, 32]
const DBF_FIELDS_END = 0x0d

/** Reads `path.shp` and `path.dbf`. */
export function readShapefile(path: string): ShapeRecord[] {
  const shapes = shapesIn(readFileSync(`${path}.shp`))
  const fields = fieldsIn(readFileSync(`${path}.dbf`))
  if (shapes.length !== fields.length)
    throw new Error(`${path} has ${shapes.length} shapes and ${fields.length} records`)
  return shapes.map((parts, index) => ({ parts, fields: fields[index]! }))
}

function shapesIn(bytes: Buffer): Position[][][] {
  const shapes: Position[][][] = []
  for (let at = SHP_HEADER; at < bytes.length; ) {
    const content = at + SHP_RECORD_HEADER
    // A null shape has type 0 and nothing else.
    shapes.push(bytes.readUInt32LE(content) === 0 ? [] : partsAt(bytes, content))
    at = content + bytes.readUInt32BE(at + 4) * 2
  }
  return shapes
}

/** The type and the box come first, in 36 bytes. */
function partsAt(bytes: Buffer, content: number): Position[][] {
  const count = bytes.readUInt32LE(content + 36)
  const total = bytes.readUInt32LE(content + 40)
  const points = content + 44 + 4 * count
  const starts = Array.from({ length: count }, (_, part) => bytes.readUInt32LE(content + 44 + 4 * part))
  return starts.map((start, part) =>
    Array.from({ length: (starts[part + 1] ?? total) - start }, (_, index): Position => {
      const point = points + 16 * (start + index)
      return [bytes.readDoubleLE(point), bytes.readDoubleLE(point + 8)]
    }),
  )
}

function fieldsIn(bytes: Buffer): Record<string, string>[] {
  const [count, start, length] = [bytes.readUInt32LE(4), bytes.readUInt16LE(8), bytes.readUInt16LE(10)]
  const fields: { name: string; from: number; to: number }[] = []
  for (let at = DBF_HEADER, from = 1; bytes[at] !== DBF_FIELDS_END; at += DBF_FIELD) {
    const to = from + bytes[at + 16]!
    fields.push({ name: textOf(bytes.subarray(at, at + 11)), from, to })
    from = to
  }
  return Array.from({ length: count }, (_, index) => {
    const record = bytes.subarray(start + index * length, start + (index + 1) * length)
    return Object.fromEntries(fields.map(({ name, from, to }) => [name, textOf(record.subarray(from, to))]))
  })
}

function textOf(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/\0.*$/s, '').trim()
}
