import { type FieldError, nameHints, tooManyValues } from '../domain/errors.ts'
import { type FilterParameter, isOneOf, MAX_LIST_VALUES, MAX_VALUE_LENGTH, takesList } from './parameters.ts'

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
