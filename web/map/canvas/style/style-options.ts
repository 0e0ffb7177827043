import type { FeatureCollection } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import type { Theme } from '../../../shared/theme.ts'
import type { Question } from '../../data/question.ts'
import type { Layer, View } from '../../view/view.ts'
import type { Boundaries } from './labels.ts'

/** Everything that the map's style depends on. */
export interface StyleOptions {
  readonly theme: Theme
  readonly layer: Layer
  readonly states: Boundaries
  /** Null if the operator has none, or until they are loaded. */
  readonly lgas: Boundaries | null
  /** URL template of the incidents' vector tiles. */
  readonly tilesUrl: string
  /** The codes of the chosen states, which are outlined. */
  readonly chosen: readonly string[]
  /** Marks outside them are dimmed. */
  readonly shapes: Pick<View, 'road' | 'polygon'>
  /** The circle around a point, the road and the drawn area. */
  readonly places: FeatureCollection
  /** Incidents by state code, for the layer that shades the states. */
  readonly countsByState: ReadonlyMap<string, number>
  /** The window that the recency of marks is relative to; null draws all alike. */
  readonly recency: RecencyWindow | null
  /** The operator's base map, drawn below our layers. */
  readonly baseStyle: StyleSpecification | null
}

/** In seconds since 1970. */
export interface RecencyWindow {
  readonly from: number
  readonly to: number
}

/**
 * Returns the window that ages are relative to, up to now: a period may end with the day. Null,
 * which draws all marks alike, for all time.
 */
export function recencyWindowOf({ window }: Pick<Question, 'window'>, now: number): RecencyWindow | null {
  if (window === null) return null
  const [from, to] = [Date.parse(window.from) / 1000, Math.min(Date.parse(window.to), now) / 1000]
  return from < to ? { from, to } : null
}
