import type { Feature, FeatureCollection } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import { COLOURS } from '../../shared/ground/colours.ts'
import { borders, land, waters } from '../../shared/ground/ground.ts'
import { groundSources } from '../../shared/ground/ground-data.ts'
import { regionNames, riverNames, towns } from '../../shared/ground/ground-names.ts'
import type { Theme } from '../../shared/theme.ts'
import { initialData } from '../initial-data.ts'

/** No font is called `Map SemiBold`: it gives MapLibre the weight, and the next family is used. */
const FONT = ['Map SemiBold', 'system-ui']
const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }

/** The shared ground with the radius of the place above it. */
export function placeMapStyle(theme: Theme, states: FeatureCollection, area: Feature | null): StyleSpecification {
  const colours = COLOURS[theme]
  return {
    version: 8,
    sources: {
      ...groundSources(initialData.hasRoads),
      states: { type: 'geojson', data: states },
      lgas: {
        type: 'geojson',
        data: initialData.hasLgas ? new URL('/v1/places/lgas.geojson', location.href).href : NOTHING,
      },
      area: { type: 'geojson', data: area ?? NOTHING },
    },
    layers: [
      ...land(colours),
      ...waters(colours),
      ...borders(colours),
      { id: 'area', type: 'fill', source: 'area', paint: { 'fill-color': colours.accent, 'fill-opacity': 0.1 } },
      {
        id: 'area-edge',
        type: 'line',
        source: 'area',
        paint: { 'line-color': colours.accent, 'line-width': 1.6, 'line-dasharray': [3, 2] },
      },
      ...regionNames(colours, FONT),
      ...riverNames(colours, FONT),
      ...towns(theme, colours, FONT),
    ],
  }
}
