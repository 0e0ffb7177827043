import { createHash } from 'node:crypto'
import { inSlices } from './slices.ts'

/** What a file is known by, without having it. */
export interface Digest {
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

export async function digestOf(chunks: Iterable<Uint8Array>, signal: AbortSignal): Promise<Digest> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of inSlices(chunks)) {
    signal.throwIfAborted()
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
