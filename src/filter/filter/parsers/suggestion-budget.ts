import type { FieldError } from '../../../domain/errors.ts'

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
