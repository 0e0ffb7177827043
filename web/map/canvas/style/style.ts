import type { FeatureCollection, Point } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import { COLOURS } from '../../../shared/ground/colours.ts'
import { groundSources } from '../../../shared/ground/ground-data.ts'
import { borders, land, regionNames, riverNames, towns, waters } from '../../../shared/ground/ground-layers.ts'
import { numberText } from '../../../shared/text.ts'
import { initialData } from '../../initial-data.ts'
import { badges } from '../layers/badges.ts'
import { clusters } from '../layers/clusters.ts'
import { heat } from '../layers/heat.ts'
import { highlightedAreas, highlightedPoints } from '../layers/highlights.ts'
import { dimOutside, places } from '../layers/places.ts'
import { points } from '../layers/points.ts'
import { roadNames, roads } from '../layers/roads.ts'
import { chosenStates, stateNames, stateShading } from '../layers/states.ts'
import { type LabelProperties, labelPoints } from './labels.ts'
import { textMeasure } from './measure-text.ts'
import type { StyleOptions } from './style-options.ts'

/** The layers that draw the marks of the tiles. */
export const MARK_LAYERS = ['dots', 'clusters', 'badges'] as const

/** No font is called `Map SemiBold`: it gives MapLibre the weight, and the next family is used. */
const DEFAULT_FONT = ['Map SemiBold', 'system-ui']

/** Builds the MapLibre style, from the bottom layer to the top one. */
export function buildStyle(options: StyleOptions): StyleSpecification {
  const { theme, layer, states, lgas, tilesUrl, baseStyle } = options
  const colours = COLOURS[theme]
  const font = (baseStyle && fontOf(baseStyle)) ?? DEFAULT_FONT
  const labels = stateLabels(options)
  const empty: FeatureCollection = { type: 'FeatureCollection', features: [] }
  return {
    ...(baseStyle ?? {}),
    version: 8,
    sources: {
      ...baseStyle?.sources,
      ...groundSources(initialData.hasRoads),
      states: { type: 'geojson', data: states },
      names: { type: 'geojson', data: labels },
      lgas: { type: 'geojson', data: lgas ?? empty },
      incidents: { type: 'vector', tiles: [tilesUrl], minzoom: 3, maxzoom: 16 },
      places: { type: 'geojson', data: options.places },
      selected: { type: 'geojson', data: empty },
      hovered: { type: 'geojson', data: empty },
    },
    layers: [
      ...(baseStyle ? baseStyle.layers : land(colours)),
      ...stateShading(options),
      ...(baseStyle ? [] : waters(colours)),
      ...roads(colours),
      ...borders(colours),
      ...chosenStates(options, colours),
      ...highlightedAreas(theme, colours),
      ...places(options.shapes.road, colours),
      ...heat(options, colours),
      ...(baseStyle ? [] : regionNames(colours, font)),
      ...roadNames(colours, font),
      ...(baseStyle || layer === 'states' ? [] : [...riverNames(colours, font), ...towns(theme, colours, font)]),
      ...stateNames(options, colours, font, labels.features),
      ...dimOutside(
        [...badges(options, colours, font), ...points(options), ...clusters(options, colours, font)],
        options.shapes,
      ),
      ...highlightedPoints(colours),
    ],
  }
}

let measured: { key: string; labels: FeatureCollection<Point, LabelProperties> } | null = null

/** Finding the places of the names takes some milliseconds, so they are kept until they change. */
function stateLabels({ layer, states, countsByState }: StyleOptions): FeatureCollection<Point, LabelProperties> {
  const counts = layer === 'states' ? countsByState : new Map<string, number>()
  const key = [...counts].join()
  const countOf = (code: string) => (counts.size === 0 ? null : numberText(counts.get(code) ?? 0))
  if (measured?.key !== key) measured = { key, labels: labelPoints(states, textMeasure(), countOf) }
  return measured.labels
}

/** Returns the font of the base map's labels, since its glyphs are sure to exist. */
function fontOf(style: StyleSpecification): string[] | null {
  for (const layer of style.layers) {
    const font = layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined
    if (Array.isArray(font) && font.every((name) => typeof name === 'string')) return font as string[]
  }
  return null
}
