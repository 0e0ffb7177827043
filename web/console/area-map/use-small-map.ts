import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { messageOf } from '../../shared/session/send.ts'

interface SmallMapState<SmallMap> {
  /** The element that the map is drawn into. */
  readonly container: RefObject<HTMLDivElement | null>
  /** Null until `isReady`. */
  readonly map: RefObject<SmallMap | null>
  readonly isReady: boolean
  /** Why there is no map, as a sentence; null if nothing has failed. */
  readonly fault: string | null
}

/** Loads a map into the container, and removes it with the component. */
export function useSmallMap<SmallMap extends { remove(): void }>(
  load: (container: HTMLElement) => Promise<SmallMap>,
): SmallMapState<SmallMap> {
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
