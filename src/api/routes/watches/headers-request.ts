import type { FieldError } from '../../../domain/errors.ts'
import {
  type HeaderChange,
  headerNameFault,
  headersLeavingOrigin,
  headerValueFault,
  MASK,
  MAX_HEADERS,
  unknownHeaders,
  type WatchHeader,
} from '../../../domain/watch-headers.ts'

/** `before` are the headers of the watch, whose values `***` keeps. */
export function parseHeaders(
  given: unknown,
  before: readonly WatchHeader[],
  errors: FieldError[],
): readonly HeaderChange[] {
  if (given === null) return []
  if (typeof given !== 'object' || Array.isArray(given)) {
    errors.push({ pointer: '/headers', message: 'must be an object of names and values, or null' })
    return []
  }
  const entries = Object.entries(given)
  if (entries.length > MAX_HEADERS) {
    errors.push({ pointer: '/headers', message: `has ${entries.length} headers; a watch may have ${MAX_HEADERS}` })
    return []
  }
  const faults = entries.flatMap(([name, value], index) => {
    const repeats = entries.slice(0, index).some(([other]) => other.toLowerCase() === name.toLowerCase())
    const message = repeats ? 'is there twice: upper and lower case are the same' : faultOf(name, value)
    return message === null ? [] : [{ pointer: pointerTo(name), message }]
  })
  errors.push(...faults)
  if (faults.length > 0) return []
  const changes = entries.map(([name, value]) => ({ name, value: value === MASK ? null : String(value) }))
  for (const name of unknownHeaders(before, changes))
    errors.push({ pointer: pointerTo(name), message: `has no value that ${MASK} could keep: send one` })
  return changes
}

/** Adds an error for each header whose stored value the change would send to another origin. */
export function refuseLeavingHeaders(
  before: { readonly url: string; readonly headers: readonly WatchHeader[] },
  change: { readonly url?: string; readonly headers?: readonly HeaderChange[] },
  errors: FieldError[],
): void {
  const names = headersLeavingOrigin(before, change)
  if (names.length === 0) return
  const { origin } = new URL(before.url)
  if (change.headers === undefined) {
    const message = `must be sent with a URL of another origin: the values of ${names.join(', ')} were given for ${origin}; send them again, or {} to remove them`
    errors.push({ pointer: '/headers', message })
  }
  for (const name of change.headers === undefined ? [] : names)
    errors.push({
      pointer: pointerTo(name),
      message: `cannot be kept with ${MASK}: the value was given for ${origin}; send it again, or leave the header out`,
    })
}

function faultOf(name: string, value: unknown): string | null {
  return headerNameFault(name) ?? headerValueFault(value)
}

/** Cut, because a name of any length can be sent. */
function pointerTo(name: string): string {
  const start = name.length > 80 ? `${name.slice(0, 80)}…` : name
  return `/headers/${start.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
