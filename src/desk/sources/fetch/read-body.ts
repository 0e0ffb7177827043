import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { problemWith } from './fetch-problem.ts'

const DECOMPRESSORS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Reads a body of at most `maxBytes`, both as sent and decompressed: it is counted chunk by chunk,
 * so that a bomb of a few kilobytes never unfolds.
 */
export async function readBody(
  body: Readable,
  encoding: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return pipeline(body, collect(maxBytes), { signal })
  const decompressor = Object.hasOwn(DECOMPRESSORS, name) ? DECOMPRESSORS[name] : undefined
  if (decompressor === undefined) {
    body.destroy()
    throw problemWith('bad_encoding', `The content encoding is "${name.slice(0, 40)}".`)
  }
  return pipeline(body, counted(maxBytes), decompressor(), collect(maxBytes), { signal })
}

function counted(maxBytes: number) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      yield chunk
    }
  }
}

function collect(maxBytes: number) {
  return async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      parts.push(chunk)
    }
    return Buffer.concat(parts)
  }
}

export function tooLarge(maxBytes: number) {
  return problemWith('too_large', `The limit is ${Math.round(maxBytes / 1e6)} MB.`)
}
