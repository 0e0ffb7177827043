import { loadSmallMap } from '../../shared/parts/load-small-map.ts'
import type { AreaMap } from './area-map.ts'

/** Loads the map library and the states' borders together. */
export async function loadAreaMap(container: HTMLElement): Promise<AreaMap> {
  const [{ createAreaMap }, parts] = await loadSmallMap(import('./area-map.ts'))
  return createAreaMap(container, parts)
}
