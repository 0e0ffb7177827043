/** Compressed apart: large enough to lose less than a hundredth of the compression. */
export const PIECE_BYTES = 128 << 10

export type Chunks = AsyncIterable<Uint8Array>

/** Runs a compression when it is its turn. */
export type InTurn = <Result>(compression: () => Promise<Result>) => Promise<Result>

/** Joins small chunks. */
export async function* inPieces(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    length += chunk.length
    if (length < PIECE_BYTES) continue
    yield Buffer.concat(parts)
    parts = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(parts)
}
