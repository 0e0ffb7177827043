import { between, pick, type Random } from '../../../src/lib/random.ts'
import type { Operation } from '../openapi-document.ts'
import type { Values } from './values.ts'

const BROKEN = 0.05
const MISSING = 0.06
/** On an operation that takes none. */
const UNCALLED_FOR = 0.15
const OVER_LIMIT = 256 * 1024 + 1

/** A body, most often JSON as the operation takes it; null for none at all. */
export function bodyFor(operation: Operation, values: Values, urls: readonly string[], random: Random): Buffer | null {
  if (random() < (operation.body ? MISSING : 1 - UNCALLED_FOR)) return null
  const value = operation.body ? values.of(operation.body, random) : pick(random, [{}, '', [], null])
  const text = JSON.stringify(atHome(value, urls, random))
  return random() < BROKEN ? broken(text, random) : Buffer.from(text)
}

/** Nothing is to be sent off this machine: whatever would do for an endpoint is replaced by one of ours. */
function atHome(value: unknown, urls: readonly string[], random: Random): unknown {
  if (typeof value !== 'object' || value === null || !('url' in value)) return value
  const isOurs = typeof value.url !== 'string' || !/^\s*https?:/i.test(value.url)
  return isOurs && random() < 0.2 ? value : { ...value, url: pick(random, urls) }
}

function broken(text: string, random: Random): Buffer {
  const at = between(random, 0, text.length)
  switch (between(random, 0, 7)) {
    case 0:
      return Buffer.from(text.slice(0, at))
    case 1:
      return Buffer.concat([
        Buffer.from(text.slice(0, at)),
        Buffer.from([0xff, 0xc0, 0x80]),
        Buffer.from(text.slice(at)),
      ])
    case 2:
      return Buffer.from(`\ufeff${text}`)
    case 3:
      return Buffer.from(`${text}${text}`)
    case 4:
      return Buffer.from(`{"padding":"${'x'.repeat(OVER_LIMIT)}"}`)
    case 5:
      return deep(text, between(random, 1, 120_000))
    case 6:
      return Buffer.from(text.replace(/\d+/, '1e999'))
    default:
      return Buffer.from(text.replace('{', '{"a":1,"a":2,"__proto__":{"polluted":true},'))
  }
}

/** Written by hand: no value so deep could be made into text. */
function deep(text: string, depth: number): Buffer {
  const nested = '['.repeat(depth) + ']'.repeat(depth)
  return Buffer.from(text.includes(':') ? text.replace(/:("[^"]*"|[\d.]+|null)/, `:${nested}`) : nested)
}
