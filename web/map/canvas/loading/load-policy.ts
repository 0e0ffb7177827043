/** The browser's word on its connection; Safari and Firefox tell nothing. */
export interface Connection {
  readonly saveData?: boolean
  readonly effectiveType?: string
}

const SLOW_TYPES: readonly (string | undefined)[] = ['slow-2g', '2g', '3g']

/**
 * Decides whether the map library (350 kB) is loaded after the first paint, or only once somebody
 * touches the map. A small screen always waits: its reader often pays for each megabyte, reads the
 * list first, and has the SVG map.
 */
export function loadsAtOnce(connection: Connection | undefined, smallScreen: boolean): boolean {
  if (smallScreen || connection?.saveData) return false
  return !SLOW_TYPES.includes(connection?.effectiveType)
}
