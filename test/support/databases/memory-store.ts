import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { keptThreads } from './kept-threads.ts'

/** An empty store in memory. */
export function openMemoryStore(): Promise<Store> {
  return openStore('sqlite::memory:', { sqlite: { threads: keptThreads } })
}
