import type { Store } from '../../src/store/store.ts'
import type { EmptyDatabase } from './empty-database.ts'

const STORES = 3

/** Several stores on one database where that is possible; one, several times, where it is not. */
export async function openSeveral(database: EmptyDatabase): Promise<AsyncDisposable & { at(index: number): Store }> {
  const stores = await Promise.all(Array.from({ length: database.shared ? STORES : 1 }, () => database.open()))
  return {
    at: (index) => stores[index % stores.length]!,
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
    },
  }
}
