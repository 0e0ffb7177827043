import { fillWithHistory } from '../../src/demo/fill.ts'
import { places } from '../../src/geo/places.ts'
import { openStore } from '../../src/store/open.ts'

const TEN_YEARS = 10 * 365 * 86_400_000

/** Ten years of made-up incidents, which the service finds when it starts. */
export async function writeHistory(databaseUrl: string, count: number, seed: number): Promise<void> {
  await using store = await openStore(databaseUrl)
  const until = Date.now()
  await fillWithHistory({ store, now: Date.now, places, seed, count, from: until - TEN_YEARS, until })
}
