import type { FeatureCollection } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import type { Theme } from '../../../shared/theme.ts'
import type { Layer } from '../../view/view.ts'
import { areaNames, areas } from '../layers/areas.ts'
import { clusters } from '../layers/clusters.ts'
import { borders, ground, names, shading } from '../layers/ground.ts'
import { heat } from '../layers/heat.ts'
import { choice } from '../layers/highlights.ts'
import { points } from '../layers/points.ts'
import { COLOURS } from './colours.ts'
import { type Areas, labelPoints } from './labels.ts'

export interface StyleOptions {
  readonly theme: Theme
  readonly layer: Layer
  readonly states: Areas
  /** Null where the operator has none, or they are not loaded yet. */
  readonly lgas: Areas | null
  readonly tiles: string
  /** Incidents by state code, for the layer that shades them. */
  readonly byState: ReadonlyMap<string, number>
  /** The operator's own style, to lie beneath. */
  readonly base: StyleSpecification | null
}

/** What may be clicked, the first before the others. */
export const POINT_LAYERS = ['dots', 'clusters', 'area-names', 'areas'] as const

/** Nothing is named so: the word tells MapLibre the weight, and the next family has the letters. */
const OWN_FONT = ['Map SemiBold', 'system-ui']

/** The whole map as MapLibre wants it: what lies beneath first, what a person chose last. */
export function styleFor(options: StyleOptions): StyleSpecification {
  const { theme, states, lgas, tiles, base } = options
  const colours = COLOURS[theme]
  const font = (base && fontIn(base)) ?? OWN_FONT
  const empty: FeatureCollection = { type: 'FeatureCollection', features: [] }
  return {
    ...(base ?? {}),
    version: 8,
    sources: {
      ...base?.sources,
      states: { type: 'geojson', data: states },
      names: { type: 'geojson', data: labelPoints(states) },
      lgas: { type: 'geojson', data: lgas ?? empty },
      incidents: { type: 'vector', tiles: [tiles], minzoom: 3, maxzoom: 16 },
      areas: { type: 'geojson', data: empty },
      chosen: { type: 'geojson', data: empty },
      pointed: { type: 'geojson', data: empty },
    },
    layers: [
      ...(base ? base.layers : ground(colours)),
      ...shading(options, colours),
      ...borders(colours),
      ...heat(options, colours),
      ...areas(options, colours),
      ...points(options, colours),
      ...names(options, colours, font),
      ...areaNames(options, colours, font),
      ...clusters(options, colours, font),
      ...choice(colours),
    ],
  }
}

function fontIn(base: StyleSpecification): string[] | null {
  for (const layer of base.layers) {
    const font = layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined
    if (Array.isArray(font) && font.every((name) => typeof name === 'string')) return font as string[]
  }
  return null
}
