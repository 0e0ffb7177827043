import { randomBytes } from 'node:crypto'
import { newSecret } from '../../src/deliveries/send/signature.ts'
import type { NewWatch } from '../../src/domain/watch.ts'
import type { Store } from '../../src/store/store.ts'
import { withWatches } from '../store/watch-fixtures.ts'

/** Adds watches 1 to `count` at that URL, which match every event, to the store. */
export async function withWatchesAt(
  store: Store,
  count: number,
  url: string,
  changes: Partial<NewWatch> = {},
): Promise<void> {
  const filter = { given: '{}', canonical: '{}' }
  await withWatches(store, count, {
    url,
    filter,
    secrets: [{ secret: newSecret(randomBytes), expiresAt: null }],
    ...changes,
  })
}
