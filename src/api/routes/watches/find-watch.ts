import { Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import type { Watch } from '../../../domain/watch.ts'
import type { Store } from '../../../store/store.ts'

/** Throws 404 if the account has no such watch. */
export async function findWatch(store: Store, accountId: string, id: string): Promise<Watch> {
  const watch = isIdentifier('watch', id) ? await store.watches.find(accountId, id) : null
  if (watch === null) throw unknownWatch()
  return watch
}

export function unknownWatch(): Problem {
  return new Problem('not_found', 'Your account has no such watch.')
}
