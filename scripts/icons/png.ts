import { crc32, deflateSync } from 'node:zlib'

/** Red, green, blue, alpha from 0 to 1. */
export type Colour = readonly [number, number, number, number]

/** The colour at a position; x and y from 0 to 1. */
export type Paint = (x: number, y: number) => Colour

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Samples per pixel in each direction, for smooth edges. */
const SAMPLES = 4

/** Draws a square image and encodes it as PNG (RGBA, 8 bits), without any library. */
export function drawPng(size: number, paint: Paint): Buffer {
  const rows = Buffer.alloc(size * (1 + size * 4))
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      rows.set(pixelAt(row, column, size, paint), row * (1 + size * 4) + 1 + column * 4)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // 8 bits a channel, colour type 6: RGBA.
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function pixelAt(row: number, column: number, size: number, paint: Paint): number[] {
  let [red, green, blue, alpha] = [0, 0, 0, 0]
  for (let sample = 0; sample < SAMPLES ** 2; sample++) {
    const x = (column + ((sample % SAMPLES) + 0.5) / SAMPLES) / size
    const y = (row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / size
    const colour = paint(x, y)
    red += colour[0] * colour[3]
    green += colour[1] * colour[3]
    blue += colour[2] * colour[3]
    alpha += colour[3]
  }
  if (alpha === 0) return [0, 0, 0, 0]
  const channel = (sum: number) => Math.round((255 * sum) / alpha)
  return [channel(red), channel(green), channel(blue), Math.round((255 * alpha) / SAMPLES ** 2)]
}

function chunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(bytes.length + 8)
  framed.writeUInt32BE(content.length, 0)
  bytes.copy(framed, 4)
  framed.writeUInt32BE(crc32(bytes), bytes.length + 4)
  return framed
}

/** Wraps a PNG of 32 × 32 into an ICO file. */
export function wrapInIco(png: Buffer): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.set([32, 32, 0, 0, 1, 0, 32, 0], 6)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}
