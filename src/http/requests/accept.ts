import { BoundedCache } from '../../lib/bounded-cache.ts'
import { FORMAT_NAMES, FORMATS, type FormatName } from '../../query/format.ts'
import { weightsIn } from './weights.ts'

const formatByHeader = new BoundedCache<string, FormatName | null>(1000)

/** The format that `Accept` likes best, JSON where it does not mind; null where it takes none of ours. */
export function formatFor(header: string | undefined): FormatName | null {
  if (header === undefined || header === '*/*') return 'json'
  let format = formatByHeader.get(header)
  if (format === undefined) {
    format = choose(header)
    formatByHeader.set(header, format)
  }
  return format
}

function choose(header: string): FormatName | null {
  const weights = weightsIn(header)
  let best: FormatName | null = null
  let most = 0
  for (const name of FORMAT_NAMES) {
    const type = FORMATS[name]
    const any = `${type.slice(0, type.indexOf('/'))}/*`
    const weight = weights.get(type) ?? weights.get(any) ?? weights.get('*/*') ?? 0
    if (weight > most) {
      best = name
      most = weight
    }
  }
  return best
}
