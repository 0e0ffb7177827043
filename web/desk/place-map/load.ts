import { loadSmallMap } from '../../shared/parts/load-small-map.ts'
import type { createPlaceMap, PlaceMap } from './place-map.ts'

/** Loads the map library and the states' borders together. */
export async function loadPlaceMap(
  container: HTMLElement,
  handlers: Parameters<typeof createPlaceMap>[2],
): Promise<PlaceMap> {
  const [library, parts] = await loadSmallMap(import('./place-map.ts'))
  return library.createPlaceMap(container, parts, handlers)
}
