import { type FieldError, nameHints, tooManyValues } from '../domain/errors.ts'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../domain/taxonomy.ts'

export interface Parameter {
  readonly description: string
  readonly example: string
  /** The complete list of values, where the parameter has one. */
  readonly values?: readonly string[]
  /** Takes a list of values, separated by commas. */
  readonly several?: true
  /** The most values of the list, if not `MAX_LIST_VALUES`. */
  readonly most?: number
  readonly required?: true
  /** Set if the value is a number; the document shows these bounds, the parser enforces them. */
  readonly number?: NumberBounds
  /** Set if the value is that many numbers, separated by commas, or a JSON array of them. */
  readonly numbers?: number
}

/** In the words of JSON Schema, which the document uses. */
export interface NumberBounds {
  readonly type: 'integer' | 'number'
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
}

export const CONFIDENCE = { type: 'number', minimum: 0, maximum: 1 } as const satisfies NumberBounds
export const MAX_RADIUS_KM = 500

/** The most values that one list may have, written with commas, repeated, or as a JSON array. */
export const MAX_LIST_VALUES = 100
/** Longer than every name and code. */
export const MAX_VALUE_LENGTH = 200

const UP_TO = `Up to ${MAX_LIST_VALUES} values.`

export const FILTER_PARAMETERS = {
  state: {
    description: `States by name, ISO code or known alias, in any case. ${UP_TO}`,
    example: 'Kaduna,FCT',
    several: true,
  },
  lga: {
    description: `Local government areas by name, code or known alias. A name that exists in two states needs \`state\`. ${UP_TO}`,
    example: 'Chikun',
    several: true,
  },
  type: { description: `Incident types. ${UP_TO}`, example: 'kidnapping,banditry', several: true, values: TYPE_NAMES },
  category: {
    description: `Categories of types. ${UP_TO}`,
    example: 'abduction',
    several: true,
    values: CATEGORY_NAMES,
  },
  severity: { description: `Severities. ${UP_TO}`, example: 'high,critical', several: true, values: SEVERITIES },
  min_severity: { description: 'This severity or worse.', example: 'high', values: SEVERITIES },
  confidence: { description: 'The same as `min_confidence`.', example: '0.8', number: CONFIDENCE },
  min_confidence: { description: 'Minimum confidence, from 0 to 1.', example: '0.8', number: CONFIDENCE },
  max_confidence: { description: 'Maximum confidence, from 0 to 1.', example: '0.5', number: CONFIDENCE },
  since: {
    description: 'Published within this duration: a count and `m` (minutes), `h`, `d` or `w`; or an RFC 3339 time.',
    example: '24h',
  },
  from: {
    description: 'Published at or after this RFC 3339 time or date (UTC). Not together with `since`.',
    example: '2026-01-01',
  },
  to: {
    description: 'Published before this RFC 3339 time or date (UTC). Not together with `since`.',
    example: '2026-02-01',
  },
  occurred_from: {
    description: 'Happened at or after this RFC 3339 time or date (UTC).',
    example: '2026-01-01',
  },
  occurred_to: { description: 'Happened before this RFC 3339 time or date (UTC).', example: '2026-02-01' },
  dataset: {
    description: `Imported from these data sets, such as \`ucdp\`; \`none\` for incidents that come from no data set. ${UP_TO}`,
    example: 'ucdp,acled',
    several: true,
  },
  q: {
    description:
      'Words of the summary, up to 8. A word, or `word*`, must begin one of them; `"a phrase"` must be in it as whole words, side by side. Case and accents do not count: `kidnap jemaa` finds "Kidnappers in Jema\'a".',
    example: 'gunmen market',
  },
  bbox: {
    description: 'Within this box: west,south,east,north in degrees.',
    example: '7.0,10.2,7.8,10.9',
    numbers: 4,
  },
  near: { description: 'Within `radius_km` of this point: lat,lng.', example: '10.52,7.44', numbers: 2 },
  radius_km: {
    description: `The distance from \`near\`, up to ${MAX_RADIUS_KM}.`,
    example: '25',
    number: { type: 'number', exclusiveMinimum: 0, maximum: MAX_RADIUS_KM },
  },
  area: {
    description:
      'Within a polygon, route or circle that your account has saved (`POST /v1/areas`), by its id. Not together with `near`, `polygon` or `route`, and not with a publishable key.',
    example: 'are_01jd8z0c5xk3m9q2v7w4t6r8y0',
  },
  sites: {
    description:
      'Within the radius of a site in a list that your account has saved (`POST /v1/sites`), by its id. Not together with `area`, `near`, `polygon` or `route`, and not with a publishable key.',
    example: 'sit_01jd8z0c5xk3m9q2v7w4t6r8y0',
  },
} as const satisfies Record<string, Parameter>
export type FilterParameter = keyof typeof FILTER_PARAMETERS

const { q: _q, ...withoutWords } = FILTER_PARAMETERS
/** For tiles, which are drawn without reading summaries. */
export const INDEXED_FILTER_PARAMETERS = withoutWords

const { area: _area, sites: _sites, ...withoutSaved } = FILTER_PARAMETERS
/** For what everybody may read: saved areas and sites belong to one account. */
export const PUBLIC_FILTER_PARAMETERS = withoutSaved

const { dataset: _dataset, ...withoutDataset } = PUBLIC_FILTER_PARAMETERS
/** For the desk, whose queue has no imports. */
export const DESK_FILTER_PARAMETERS = withoutDataset

/** A watch may follow this many incidents. */
export const MAX_FOLLOWED = 20

/** For watches and for what they would send; lists and streams do not take it. */
export const INCIDENT_PARAMETER = {
  description: `Only these incidents, by their ids, up to ${MAX_FOLLOWED}: every correction and the retraction of each. An incident that is merged into another is followed on as that one.`,
  example: 'inc_01jd8z0c5xk3m9q2v7w4t6r8y0',
  several: true,
  most: MAX_FOLLOWED,
} as const satisfies Parameter
export type WatchParameter = FilterParameter | 'incident'

export const FILTER_PARAMETER_NAMES = Object.keys(FILTER_PARAMETERS) as readonly FilterParameter[]

/** The parameters that take several values; each may be repeated instead of written with commas. */
export function takesList(name: string): boolean {
  return (
    name === 'group_by' ||
    name === 'fields' ||
    name === 'only' ||
    (FILTER_PARAMETERS as Readonly<Record<string, Parameter>>)[name]?.several === true
  )
}

export const DEFAULT_LIMIT = 50

/** Declares the `limit` of a list of `what`, as `parseLimit` takes it. */
export function limitParameter(what: string, maximum: number) {
  return {
    description: `${what} per page, from 1 to ${maximum}. Default: ${DEFAULT_LIMIT}.`,
    example: String(DEFAULT_LIMIT),
    number: { type: 'integer', minimum: 1, maximum },
  } as const satisfies Parameter
}

/** Parses `limit`, the page size; an invalid one is added to `errors`. */
export function parseLimit(text: string | null, max: number, errors: FieldError[]): number {
  if (text === null || text.trim() === '') return DEFAULT_LIMIT
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= max) return limit
  errors.push({ parameter: 'limit', message: `must be a whole number from 1 to ${max}` })
  return DEFAULT_LIMIT
}

/** Parses a parameter that takes one of `values`; null where it is absent or invalid. */
export function parseChoice<Value extends string>(
  parameter: string,
  text: string | null,
  values: readonly Value[],
  errors: FieldError[],
): Value | null {
  if (text === null || text.trim() === '') return null
  if (isOneOf(values, text)) return text
  errors.push({ parameter, message: `must be one of ${values.join(', ')}`, ...nameHints(text, values) })
  return null
}

export function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name)
}

/** Quotes the client's text in an error message, cut off after 60 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

/** Parameters by name, each split into its list of values, before they are parsed. */
export interface RawParameters<Name extends string> {
  readonly values: ReadonlyMap<Name, readonly string[]>
  readonly errors: readonly FieldError[]
  /** Locates a parameter in an error: `parameter` in a query string, `pointer` in a body. */
  readonly at: (name: string) => Location
  /** Shared by all parsers of the request. */
  readonly suggestions: SuggestionBudget
}

type Location = Pick<FieldError, 'parameter' | 'pointer'>

/** Gives the parsers in this folder the values to parse, and collects their errors. */
export interface FilterInput {
  list(name: FilterParameter): readonly string[] | null
  /** The value of a parameter that takes no list. */
  single(name: FilterParameter): string | null
  /** `hints` is called only for the first few errors of a request: similar names cost a search. */
  reject(name: FilterParameter, message: string, hints?: () => NameHints): null
}

const atParameter = (name: string) => ({ parameter: name })

/** Throws a `Problem` at once for a list that is too long. */
export function parametersInQuery<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): RawParameters<Name> {
  const collected = new Collected(names, atParameter)
  for (const [name, texts] of groupByName(query)) {
    if (!collected.isKnown(name)) continue
    if (texts.length > 1 && !takesList(name))
      collected.reject(name, `is given ${texts.length} times; it takes one value`)
    else if (texts.some((text) => text.trim() === ''))
      collected.reject(name, 'is empty; leave it out, or give it a value')
    else collected.setList(name, listFrom(texts))
  }
  return collected
}

/** In one pass: `getAll` for each of some thousand names would compare them all with each other. */
function groupByName(query: URLSearchParams): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [name, text] of query) {
    const texts = groups.get(name)
    if (texts === undefined) groups.set(name, [text])
    else texts.push(text)
  }
  return groups
}

/**
 * Reads parameters from a JSON object at `pointer` in the body, as `/filter`. Throws a `Problem` at
 * once for a list that is too long.
 */
export function parametersInObject<Name extends string>(
  object: unknown,
  names: readonly Name[],
  pointer: string,
): RawParameters<Name> {
  const at = (name: string) => ({ pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` })
  const collected = new Collected(names, at)
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    const message = 'must be an object of filters, as {"state": ["Kaduna"]}'
    return { values: collected.values, errors: [{ pointer, message }], at, suggestions: collected.suggestions }
  }
  for (const [name, value] of Object.entries(object)) {
    if (!collected.isKnown(name)) continue
    const list = listOf(value)
    if (list === null) collected.reject(name, 'must be a string, a number, or a list of them that is not empty')
    else collected.setList(name, list)
  }
  return collected
}

class Collected<Name extends string> implements RawParameters<Name> {
  readonly values = new Map<Name, readonly string[]>()
  readonly errors: FieldError[] = []
  readonly suggestions = new SuggestionBudget()
  readonly at: RawParameters<Name>['at']
  readonly #names: readonly Name[]
  #unknown = 0

  constructor(names: readonly Name[], at: RawParameters<Name>['at']) {
    this.#names = names
    this.at = at
  }

  /** An unknown name becomes an error; of many, only the first are named. */
  isKnown(name: string): name is Name {
    if (isOneOf(this.#names, name)) return true
    this.#unknown++
    if (this.#unknown <= MAX_UNKNOWN_NAMES) {
      const hints = this.suggestions.hintsFrom(() => nameHints(name, this.#names))
      this.errors.push({ ...this.at(name.slice(0, MAX_VALUE_LENGTH)), message: 'is not a parameter here', ...hints })
    }
    return false
  }

  setList(name: Name, list: readonly string[]): void {
    if (takesList(name)) {
      if (list.length > MAX_LIST_VALUES)
        throw tooManyValues(this.at(name), `takes at most ${MAX_LIST_VALUES} values in one request`)
      if (list.some((value) => value.length > MAX_VALUE_LENGTH)) {
        this.reject(name, `has a value longer than ${MAX_VALUE_LENGTH} characters`)
        return
      }
    }
    this.values.set(name, list)
  }

  reject(name: string, message: string): void {
    this.errors.push({ ...this.at(name), message })
  }
}

function listFrom(texts: readonly string[]): readonly string[] {
  if (texts.length === 1) return splitAtCommas(texts[0]!)
  return texts.slice(0, MAX_LIST_VALUES + 1).flatMap(splitAtCommas)
}

function listOf(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return value.trim() === '' ? null : splitAtCommas(value)
  if (typeof value === 'number') return [String(value)]
  if (!Array.isArray(value) || value.length === 0) return null
  const list = value
    .slice(0, MAX_LIST_VALUES + 1)
    .map((part: unknown) => (typeof part === 'number' ? String(part) : part))
  return list.every((part) => typeof part === 'string') ? list.map((part) => part.trim()) : null
}

/** Splits off one value more than a list may have, not all of a hundred thousand. */
function splitAtCommas(text: string): string[] {
  return text.split(',', MAX_LIST_VALUES + 1).map((part) => part.trim())
}

export type NameHints = Pick<FieldError, 'allowed' | 'did_you_mean'>

/** Similar names are searched for this many errors of a request; the others go without. */
const MAX_SUGGESTIONS = 5
/** Of the parameters that do not exist, this many are named. */
export const MAX_UNKNOWN_NAMES = 20

/**
 * Limits what one request may spend on similar names: each search compares the text with up to
 * 1,500 names, and a request may hold hundreds of wrong ones.
 */
export class SuggestionBudget {
  #left = MAX_SUGGESTIONS

  /** Returns the hints, or none once the request has had its share. */
  hintsFrom(search: (() => NameHints) | undefined): NameHints {
    if (search === undefined || this.#left <= 0) return {}
    this.#left--
    return search()
  }
}
