import type { Store } from '../../store/store.ts'
import type { UsageMeter } from './usage-meter.ts'

/** Writes down what has been counted. What cannot be written is counted on. */
export async function flushUsage(store: Store, usage: UsageMeter): Promise<void> {
  const counts = usage.drain()
  if (counts.length === 0) return
  try {
    await store.usage.addCounts(counts)
  } catch (error) {
    usage.giveBack(counts)
    throw error
  }
}
