import type { FastifyRequest } from 'fastify'
import { FORMAT_NAMES, FORMATS, type FormatName } from '../../filter/format.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'

const formatByHeader = new BoundedCache<string, FormatName | null>(1000)
/**
 * Longer headers are parsed each time: a cache of them would hold megabytes that a client chose.
 */
export const MAX_CACHED_HEADER_LENGTH = 300

/** Returns the format that `Accept` prefers, JSON by default; null if it accepts none. */
export function formatFor(header: string | undefined): FormatName | null {
  if (header === undefined || header === '*/*') return 'json'
  let format = formatByHeader.get(header)
  if (format === undefined) {
    format = choose(header)
    if (header.length <= MAX_CACHED_HEADER_LENGTH) formatByHeader.set(header, format)
  }
  return format
}

function choose(header: string): FormatName | null {
  const weights = parseWeights(header)
  let best: FormatName | null = null
  let bestWeight = 0
  for (const name of FORMAT_NAMES) {
    const type = FORMATS[name]
    const any = `${type.slice(0, type.indexOf('/'))}/*`
    const weight = weights.get(type) ?? weights.get(any) ?? weights.get('*/*') ?? 0
    if (weight > bestWeight) {
      best = name
      bestWeight = weight
    }
  }
  return best
}

/** Parses `Accept`, `Accept-Encoding` and the like into weights from 0 to 1 (RFC 9110). */
export function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  return weights
}

/** A browser that opens a link accepts `text/html` and sends no key; an API client differs. */
export function asksForPage({ headers }: FastifyRequest): boolean {
  return headers.authorization === undefined && /\btext\/html\b/.test(headers.accept ?? '')
}
