/** Half-open, in bytes. */
export interface Range {
  readonly start: number
  readonly end: number
}

const SINGLE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i

/**
 * The part of a file that a `Range` header asks for (RFC 9110). Null where there is nothing to do about it: other units,
 * several ranges and nonsense are answered with the whole file, as the RFC allows.
 */
export function parseRange(header: string | undefined, size: number): Range | 'unsatisfiable' | null {
  const match = SINGLE.exec(header?.trim() ?? '')
  if (!match) return null
  const [, first, last, suffix] = match
  if (suffix !== undefined) {
    return Number(suffix) === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(suffix)), end: size }
  }
  const start = Number(first)
  const end = last === '' ? size : Math.min(size, Number(last) + 1)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}

/** Whether the client's part is of this very file: a strong comparison; without `If-Range` it says so itself. */
export function ifRangeMatches(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag
}
