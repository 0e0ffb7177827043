import type { FeatureCollection, Point } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import { COLOURS } from '../../../shared/ground/colours.ts'
import { groundSources } from '../../../shared/ground/ground-data.ts'
import { borders, land, regionNames, riverNames, towns, waters } from '../../../shared/ground/ground-layers.ts'
import { numberText } from '../../../shared/text.ts'
import { initialData } from '../../initial-data.ts'
import { heat, marks } from '../layers/marks.ts'
import { dimOutside, highlightedAreas, highlightedPoints, places, roadNames, roads } from '../layers/places.ts'
import { chosenStates, stateNames, stateShading } from '../layers/states.ts'
import { type LabelProperties, labelPoints, type MeasureText } from './labels.ts'
import type { StyleOptions } from './style-options.ts'

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
      ...dimOutside(marks(options, colours, font), options.shapes),
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

/** Loads the operator's base map; null, which shows the plain map, if there is none or it fails. */
export async function loadBaseStyle(url: string | null): Promise<StyleSpecification | null> {
  if (url === null) return null
  try {
    const response = await fetch(url)
    if (response.ok) return (await response.json()) as StyleSpecification
    console.warn(`The base map answered ${response.status}; the plain map is shown.`)
  } catch (error) {
    console.warn('The base map cannot be reached; the plain map is shown:', error)
  }
  return null
}

const SIZE_PX = 100

/** Measures text as MapLibre draws it: with the page's system font, half bold. */
function textMeasure(): MeasureText {
  const context = document.createElement('canvas').getContext('2d')!
  context.font = `600 ${SIZE_PX}px system-ui, sans-serif`
  return (text) => context.measureText(text).width / SIZE_PX
}
