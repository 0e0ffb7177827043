import { type Duration, parseDuration, parseTime } from '../../../lib/time/time.ts'
import type { Filter } from '../filter.ts'
import type { FilterParameter } from '../parameters.ts'
import { quote, type Reader } from './reader.ts'

const TAKES_TIME = 'takes an RFC 3339 time or a date, as 2026-05-01T12:00:00Z or 2026-05-01'

export function readPublished(reader: Reader): Pick<Filter, 'since' | 'publishedFrom' | 'publishedTo'> {
  const since = readSince(reader)
  for (const name of ['from', 'to'] as const) {
    if (reader.parts('since') && reader.parts(name))
      reader.refuse(name, 'cannot stand together with since; give one of the two')
  }
  const [from, to] = readWindow(reader, 'from', 'to')
  return {
    since: typeof since === 'object' ? since : null,
    publishedFrom: typeof since === 'number' ? since : from,
    publishedTo: to,
  }
}

export function readOccurred(reader: Reader): Pick<Filter, 'occurredFrom' | 'occurredTo'> {
  const [occurredFrom, occurredTo] = readWindow(reader, 'occurred_from', 'occurred_to')
  return { occurredFrom, occurredTo }
}

function readSince(reader: Reader): Duration | number | null {
  const text = reader.single('since')
  if (text === null) return null
  return (
    parseDuration(text) ??
    parseTime(text) ??
    reader.refuse('since', `takes a count with m, h, d or w, as 24h, or an RFC 3339 time, not ${quote(text)}`)
  )
}

function readWindow(reader: Reader, first: FilterParameter, second: FilterParameter): [number | null, number | null] {
  const from = readTime(reader, first)
  const to = readTime(reader, second)
  if (from !== null && to !== null && from >= to) reader.refuse(second, `must be later than ${first}`)
  return [from, to]
}

function readTime(reader: Reader, name: FilterParameter): number | null {
  const text = reader.single(name)
  return text === null ? null : (parseTime(text) ?? reader.refuse(name, `${TAKES_TIME}, not ${quote(text)}`))
}
