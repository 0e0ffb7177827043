import type { Store } from '../../src/store/store.ts'
import type { EmptyDatabase } from './empty-database.ts'

const STORES = 3

/** Opens several stores on one database, or uses one store several times if it cannot be shared. */
export async function openSeveral(database: EmptyDatabase): Promise<AsyncDisposable & { at(index: number): Store }> {
  const stores = await Promise.all(Array.from({ length: database.shared ? STORES : 1 }, () => database.open()))
  return {
    at: (index) => stores[index % stores.length]!,
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
    },
  }
}
