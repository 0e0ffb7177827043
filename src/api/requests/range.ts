/** In bytes; `end` is excluded. */
export interface Range {
  readonly start: number
  readonly end: number
}

const SINGLE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i

/**
 * Parses `Range` (RFC 9110). Null means the whole file, as the RFC allows for other units, several
 * ranges and malformed headers.
 */
export function parseRange(header: string | undefined, size: number): Range | 'unsatisfiable' | null {
  const match = SINGLE_RANGE.exec(header?.trim() ?? '')
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

/** True if `If-Range` is missing or names exactly this file (strong comparison). */
export function ifRangeMatches(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag
}
