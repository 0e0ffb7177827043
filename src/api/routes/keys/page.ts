import { type FieldError, invalidParameters } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import type { Key } from '../../../domain/keys.ts'
import { parseLimit } from '../../../filter/parameter-values.ts'
import type { Store } from '../../../store/store.ts'
import { invalidCursor, pageOf } from '../../requests/parameters.ts'
import { keyResponses } from './response.ts'

const MAX_PAGE_SIZE = 100

/** A page of keys of one account, or of all if null, with their usage. */
export async function readKeyPage(
  store: Store,
  accountId: string | null,
  limitText: string | null,
  cursor: string | null,
  now: number,
) {
  const { keys, ...page } = await findKeyPage(store, accountId, limitText, cursor)
  return { ...page, data: await keyResponses(store, keys, now) }
}

export async function findKeyPage(
  store: Store,
  accountId: string | null,
  limitText: string | null,
  cursor: string | null,
): Promise<{ data: Key[]; keys: Key[]; has_more: boolean; next_cursor: string | null }> {
  const errors: FieldError[] = []
  const limit = parseLimit(limitText, MAX_PAGE_SIZE, errors)
  if (errors.length > 0) throw invalidParameters(errors)
  if (cursor !== null && !isIdentifier('key', cursor)) throw invalidCursor()
  const found = await store.keys.list(accountId, limit + 1, cursor)
  const page = pageOf(
    found,
    limit,
    ({ id }) => id,
    (key) => key,
  )
  return { ...page, keys: page.data }
}
