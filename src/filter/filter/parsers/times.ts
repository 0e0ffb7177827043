import { type Duration, parseDuration, parseTime } from '../../../lib/time.ts'
import { quote } from '../../parameter-values.ts'
import type { Filter } from '../filter.ts'
import type { FilterParameter } from '../parameters.ts'
import type { FilterInput } from './input.ts'

const TAKES_TIME = 'takes an RFC 3339 time or a date, as 2026-05-01T12:00:00Z or 2026-05-01'

export function parsePublished(input: FilterInput): Pick<Filter, 'since' | 'publishedFrom' | 'publishedTo'> {
  const since = parseSince(input)
  for (const name of ['from', 'to'] as const) {
    if (input.list('since') && input.list(name))
      input.reject(name, 'cannot be combined with since; give one of the two')
  }
  const [from, to] = parseWindow(input, 'from', 'to')
  return {
    since: typeof since === 'object' ? since : null,
    publishedFrom: typeof since === 'number' ? since : from,
    publishedTo: to,
  }
}

export function parseOccurred(input: FilterInput): Pick<Filter, 'occurredFrom' | 'occurredTo'> {
  const [occurredFrom, occurredTo] = parseWindow(input, 'occurred_from', 'occurred_to')
  return { occurredFrom, occurredTo }
}

function parseSince(input: FilterInput): Duration | number | null {
  const text = input.single('since')
  if (text === null) return null
  return (
    parseDuration(text) ??
    parseTime(text) ??
    input.reject('since', `takes a count with m, h, d or w, as 24h, or an RFC 3339 time, not ${quote(text)}`)
  )
}

function parseWindow(
  input: FilterInput,
  first: FilterParameter,
  second: FilterParameter,
): [number | null, number | null] {
  const from = parseTimeOf(input, first)
  const to = parseTimeOf(input, second)
  if (from !== null && to !== null && from >= to) input.reject(second, `must be later than ${first}`)
  return [from, to]
}

function parseTimeOf(input: FilterInput, name: FilterParameter): number | null {
  const text = input.single(name)
  return text === null ? null : (parseTime(text) ?? input.reject(name, `${TAKES_TIME}, not ${quote(text)}`))
}
