import type { FeatureCollection } from 'geojson'
import { COLOURS } from '../../shared/ground/colours.ts'
import type { SmallMapParts } from '../../shared/parts/load-small-map.ts'
import { createSmallMap, NOTHING } from '../../shared/parts/small-map.ts'
import { theme } from '../../shared/theme.ts'
import { ANYWHERE, type Area, type DrawnKind } from '../area/area.ts'
import { areaBox, areaFeatures } from '../area/area-features.ts'
import { initialData } from '../initial-data.ts'
import { drawShape } from './draw-shape.ts'
import { areaLayers, incidentLayer } from './layers.ts'

export interface AreaMap {
  showArea(area: Area, fits: boolean): void
  showIncidents(incidents: FeatureCollection): void
  /** Lets the reader draw; null ends it. `onDrawn` is called once, with the whole shape. */
  draw(kind: DrawnKind | null, onDrawn: (area: Area) => void): void
  zoomBy(levels: number): void
  remove(): void
}

export function createAreaMap(container: HTMLElement, parts: SmallMapParts): AreaMap {
  let area: Area = ANYWHERE
  let incidents = NOTHING
  let endDrawing = () => {}
  const { hasLgas, hasRoads } = initialData
  const { map, setData, remove } = createSmallMap({
    ...parts,
    container,
    label: 'Map of the area',
    hasLgas,
    hasRoads,
    overlay: (colours) => ({
      sources: { area: areaFeatures(area), incidents },
      belowNames: areaLayers(colours),
      aboveNames: [incidentLayer(colours)],
    }),
    onBeforeRestyle: () => endDrawing(),
  })
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
      remove()
    },
  }
}
