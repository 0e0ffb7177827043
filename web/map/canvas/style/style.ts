import type { FeatureCollection } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import { badges } from '../layers/badges.ts'
import { clusters } from '../layers/clusters.ts'
import { borders, ground, stateNames, stateShading } from '../layers/ground.ts'
import { heat } from '../layers/heat.ts'
import { highlightedAreas, highlightedPoints } from '../layers/highlights.ts'
import { points } from '../layers/points.ts'
import { COLOURS } from './colours.ts'
import { labelPoints } from './labels.ts'
import type { StyleOptions } from './style-options.ts'

/** The layers that draw the marks of the tiles. */
export const MARK_LAYERS = ['dots', 'clusters', 'badges'] as const

/** No font is called `Map SemiBold`: it gives MapLibre the weight, and the next family is used. */
const DEFAULT_FONT = ['Map SemiBold', 'system-ui']

/** Builds the MapLibre style, from the bottom layer to the top one. */
export function buildStyle(options: StyleOptions): StyleSpecification {
  const { theme, states, lgas, tilesUrl, baseStyle } = options
  const colours = COLOURS[theme]
  const font = (baseStyle && fontOf(baseStyle)) ?? DEFAULT_FONT
  const empty: FeatureCollection = { type: 'FeatureCollection', features: [] }
  return {
    ...(baseStyle ?? {}),
    version: 8,
    sources: {
      ...baseStyle?.sources,
      states: { type: 'geojson', data: states },
      names: { type: 'geojson', data: labelPoints(states) },
      lgas: { type: 'geojson', data: lgas ?? empty },
      incidents: { type: 'vector', tiles: [tilesUrl], minzoom: 3, maxzoom: 16 },
      selected: { type: 'geojson', data: empty },
      hovered: { type: 'geojson', data: empty },
    },
    layers: [
      ...(baseStyle ? baseStyle.layers : ground(colours)),
      ...stateShading(options, colours),
      ...borders(colours),
      ...highlightedAreas(theme, colours),
      ...heat(options, colours),
      ...stateNames(options, colours, font),
      ...badges(options, colours, font),
      ...points(options),
      ...clusters(options, colours, font),
      ...highlightedPoints(colours),
    ],
  }
}

/** Returns the font of the base map's labels, since its glyphs are sure to exist. */
function fontOf(style: StyleSpecification): string[] | null {
  for (const layer of style.layers) {
    const font = layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined
    if (Array.isArray(font) && font.every((name) => typeof name === 'string')) return font as string[]
  }
  return null
}
