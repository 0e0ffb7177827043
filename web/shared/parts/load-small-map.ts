import type { FeatureCollection } from 'geojson'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { useEffect, useRef, useState } from 'preact/hooks'
import { messageOf, request } from './request.ts'

/** The needs of a small map besides its library; not imported by it: both load together. */
export interface SmallMapParts extends Installation {
  readonly states: FeatureCollection
  readonly workerUrl: string
}

/** Whether the installation has borders of LGAs, and roads. */
interface Installation {
  readonly hasLgas: boolean
  readonly hasRoads: boolean
}

/** Loads the states' borders while `library` loads the code of the map. */
export async function loadSmallMap<Library>(
  library: Promise<Library>,
  { hasLgas, hasRoads }: Installation,
): Promise<readonly [Library, SmallMapParts]> {
  const states = request<FeatureCollection>('GET', '/v1/places/states.geojson')
  const [loaded, borders] = await Promise.all([library, states])
  return [loaded, { states: borders, workerUrl: new URL(workerUrl, location.href).href, hasLgas, hasRoads }]
}

/**
 * Loads a map into `container`, and removes it with the component. `map` is null until `isReady`;
 * `fault` is a sentence that says why there is no map.
 */
export function useSmallMap<SmallMap extends { remove(): void }>(load: (container: HTMLElement) => Promise<SmallMap>) {
  const container = useRef<HTMLDivElement>(null)
  const map = useRef<SmallMap | null>(null)
  const [isReady, setReady] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    let isGone = false
    load(container.current!).then(
      (loaded) => {
        if (isGone) return loaded.remove()
        map.current = loaded
        setReady(true)
      },
      (error: unknown) => setFault(`The map cannot be shown: ${messageOf(error)}`),
    )
    return () => {
      isGone = true
      map.current?.remove()
    }
  }, [])
  return { container, map, isReady, fault }
}
