import { createStore } from '../../shared/store.ts'
import { readCounts } from '../api/desk-api.ts'
import type { DeskCounts } from '../api/types.ts'

const WAIT_MS = 1000

export const deskCounts = createStore<DeskCounts | null>(null)

let isWaiting = false

/** Reads the counts soon: several changes at once cost one request. */
export function refreshCounts(): void {
  if (isWaiting) return
  isWaiting = true
  setTimeout(async () => {
    isWaiting = false
    try {
      deskCounts.set(await readCounts())
    } catch (error) {
      console.warn('The counts could not be read:', error)
    }
  }, WAIT_MS)
}
