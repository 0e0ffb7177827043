import { useClock } from '../../shared/hooks.ts'
import { serverNow } from '../initial-data.ts'

/** Returns the server's time. */
export function useNow(): number {
  return useClock(serverNow)
}
