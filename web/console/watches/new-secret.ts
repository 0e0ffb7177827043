import { createStore } from '../../shared/store.ts'

/**
 * The secret that was made on this page, with its watch; the service does not show it a second
 * time.
 */
export const newSecret = createStore<{ readonly watchId: string; readonly secret: string } | null>(null)
