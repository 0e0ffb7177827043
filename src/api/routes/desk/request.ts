import { type FieldError, invalidParameters } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { STATUSES, type Status } from '../../../domain/incident.ts'
import { DESK_ORDERS, type DeskOrder, DUPLICATE_CHOICES, ORIGINS, type Origin } from '../../../domain/moderation.ts'
import type { Filter } from '../../../filter/filter/filter.ts'
import { parseChoice, parseLimit } from '../../../filter/parameter-values.ts'
import { foldedWords } from '../../../lib/text.ts'

export interface DeskListing {
  readonly filter: Filter
  readonly status: Status
  readonly words: readonly string[]
  readonly origin: Origin | null
  /** The id of an account, or `none`. */
  readonly claimedBy: string | null
  readonly order: DeskOrder
  readonly limit: number
  readonly withDuplicates: boolean
  readonly cursor: string | null
}

interface DeskParameters {
  readonly filter: Filter
  text(name: 'status' | 'q' | 'origin' | 'claimed_by' | 'order' | 'duplicates' | 'limit' | 'cursor'): string | null
}

const MAX_LIMIT = 200
const MAX_SEARCH_CHARACTERS = 200

/** Throws a `Problem` that names every error. */
export function parseDeskListing({ filter, text }: DeskParameters, accountId: string): DeskListing {
  const errors: FieldError[] = []
  const status = parseChoice('status', text('status'), STATUSES, errors) ?? 'reported'
  const order = parseChoice('order', text('order'), DESK_ORDERS, errors) ?? 'newest'
  if (status === 'confirmed' && (order === 'severity' || order === 'confidence'))
    errors.push({ parameter: 'order', message: 'must be newest or oldest for confirmed incidents' })
  const listing = {
    filter,
    status,
    order,
    words: parseWords(text('q'), errors),
    origin: parseChoice('origin', text('origin'), ORIGINS, errors),
    claimedBy: parseClaimedBy(text('claimed_by'), accountId, errors),
    withDuplicates: parseChoice('duplicates', text('duplicates'), DUPLICATE_CHOICES, errors) !== 'none',
    limit: parseLimit(text('limit'), MAX_LIMIT, errors),
    cursor: text('cursor'),
  }
  if (errors.length > 0) throw invalidParameters(errors)
  return listing
}

function parseWords(text: string | null, errors: FieldError[]): string[] {
  if (text === null) return []
  const words = text.length > MAX_SEARCH_CHARACTERS ? [] : foldedWords(text)
  if (text.length > MAX_SEARCH_CHARACTERS)
    errors.push({ parameter: 'q', message: `is longer than ${MAX_SEARCH_CHARACTERS} characters` })
  else if (words.length === 0) errors.push({ parameter: 'q', message: 'has no letter and no digit' })
  return words
}

function parseClaimedBy(text: string | null, accountId: string, errors: FieldError[]): string | null {
  if (text === null || text === 'none' || isIdentifier('account', text)) return text
  if (text === 'me') return accountId
  errors.push({ parameter: 'claimed_by', message: 'must be me, none or the id of an account' })
  return null
}
