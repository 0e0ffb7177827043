import type { Given, Option } from './command.ts'

const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const

/**
 * The filters of the API, with dashes. The service judges their values, with
 * suggestions.
 */
export const FILTER_OPTIONS: readonly Option[] = [
  { name: 'state', value: 'NAME', several: true, about: 'In these states' },
  { name: 'lga', value: 'NAME', several: true, about: 'In these local government areas' },
  { name: 'type', value: 'TYPE', several: true, about: 'Of these types, as kidnapping' },
  { name: 'category', value: 'NAME', several: true, about: 'Of these categories' },
  { name: 'severity', value: 'NAME', several: true, about: 'Of these severities', values: SEVERITIES },
  { name: 'min-severity', value: 'NAME', about: 'This severity or worse', values: SEVERITIES },
  { name: 'min-confidence', value: '0–1', about: 'At least so sure' },
  { name: 'max-confidence', value: '0–1', about: 'At most so sure' },
  { name: 'bbox', value: 'W,S,E,N', about: 'Within this box, in degrees' },
  { name: 'near', value: 'LAT,LNG', about: 'Within --radius-km of this point' },
  { name: 'radius-km', value: 'KM', about: 'The distance from --near' },
  { name: 'area', value: 'ID', about: 'Within an area that your account has saved, as are_…' },
  { name: 'sites', value: 'ID', about: 'Near a site of a list that your account has saved, as sit_…' },
]

/** For watches and listening: what becomes of certain incidents. */
export const WATCH_OPTIONS: readonly Option[] = [
  ...FILTER_OPTIONS,
  {
    name: 'incident',
    value: 'ID',
    several: true,
    about: 'Follow these incidents, as inc_…: corrections and retractions',
  },
]

/** Filters of what has happened: a stream or a watch has none of these. */
export const WORD_OPTIONS: readonly Option[] = [
  { name: 'q', value: 'WORDS', about: 'With words in the summary that begin with each of these' },
  {
    name: 'dataset',
    value: 'NAME',
    several: true,
    about: 'Imported from these data sets, as ucdp; none for the others',
  },
]

export const TIME_OPTIONS: readonly Option[] = [
  { name: 'since', value: 'TIME', about: 'Published since: 24h, 7d, 4w or an RFC 3339 time' },
  { name: 'from', value: 'TIME', about: 'Published at or after this time or date' },
  { name: 'to', value: 'TIME', about: 'Published before this time or date' },
  { name: 'occurred-from', value: 'TIME', about: 'Occurred at or after this time or date' },
  { name: 'occurred-to', value: 'TIME', about: 'Occurred before this time or date' },
]

/** The options as parameters of the API: lists as arrays, everything else as written. */
export function filterOf(given: Given, options: readonly Option[] = FILTER_OPTIONS): Record<string, string | string[]> {
  const filter: Record<string, string | string[]> = {}
  for (const { name, several } of options) {
    if (!given.has(name)) continue
    filter[name.replaceAll('-', '_')] = several ? [...given.list(name)] : given.text(name)!
  }
  return filter
}
