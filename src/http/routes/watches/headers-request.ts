import type { FieldError } from '../../../domain/errors.ts'
import {
  type HeaderChange,
  headerNameFault,
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

function faultOf(name: string, value: unknown): string | null {
  return headerNameFault(name) ?? headerValueFault(value)
}

/** Cut, because a name of any length can be sent. */
function pointerTo(name: string): string {
  const start = name.length > 80 ? `${name.slice(0, 80)}…` : name
  return `/headers/${start.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
