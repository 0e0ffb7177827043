import type { Feature, FeatureCollection } from 'geojson'
import type { ExpressionSpecification, LayerSpecification, Map as MapLibre } from 'maplibre-gl'
import { TerraDraw, TerraDrawCircleMode, TerraDrawLineStringMode, TerraDrawPolygonMode } from 'terra-draw'
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter'
import { COLOURS, type Colours } from '../../shared/ground/colours.ts'
import type { SmallMapParts } from '../../shared/parts/load-small-map.ts'
import { createSmallMap, NOTHING } from '../../shared/parts/small-map.ts'
import { theme } from '../../shared/theme.ts'
import { ANYWHERE, type Area, areaBox, areaFeatures, areaOfFeature, type DrawnKind } from './area.ts'

interface AreaMap {
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
  const { map, setData, remove } = createSmallMap({
    ...parts,
    container,
    label: 'Map of the area',
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

const MODES = { polygon: 'polygon', circle: 'circle', route: 'linestring' } as const satisfies Record<DrawnKind, string>

/** Draws one shape on the map by pointer; the returned function ends it early. */
function drawShape(map: MapLibre, kind: DrawnKind, colour: string, onDrawn: (area: Area) => void): () => void {
  const styling = { fillColor: colour, outlineColor: colour, fillOpacity: 0.14, outlineWidth: 2 } as const
  const draw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map }),
    modes: [
      new TerraDrawPolygonMode({ styles: { ...styling, closingPointColor: colour } as object }),
      new TerraDrawCircleMode({ styles: styling as object }),
      new TerraDrawLineStringMode({ styles: { lineStringColor: colour, lineStringWidth: 2 } as object }),
    ],
  })
  draw.start()
  draw.setMode(MODES[kind])
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    draw.stop()
  }
  draw.on('finish', (id) => {
    const feature = draw.getSnapshotFeature(id)
    // After this event, which terra-draw itself still works on.
    setTimeout(() => {
      if (isOver) return
      end()
      if (feature !== undefined) onDrawn(areaOfFeature(kind, feature as Feature))
    })
  })
  return end
}

/** Width of a pixel on the ground in kilometres, at zoom 0 and the latitude of Nigeria. */
const KM_PER_PIXEL = 78.27 * Math.cos((9 * Math.PI) / 180)
const LAST_ZOOM = 20

/** The incidents of the preview. */
function incidentLayer(colours: Colours): LayerSpecification {
  return {
    id: 'incidents',
    type: 'circle',
    source: 'incidents',
    paint: {
      'circle-radius': ['match', ['get', 'severity'], 'critical', 6, 'high', 5, 4],
      'circle-color': severityColour(colours),
      'circle-stroke-color': colours.panel,
      'circle-stroke-width': 1.5,
    },
  }
}

function severityColour({ severity, quiet }: Colours): ExpressionSpecification {
  const { low, medium, high, critical } = severity
  return ['match', ['get', 'severity'], 'low', low, 'medium', medium, 'high', high, 'critical', critical, quiet]
}

/** The area of a watch, or the saved one. */
function areaLayers(colours: Colours): LayerSpecification[] {
  // A line whose width is the corridor's on the ground, at every zoom.
  const widthAt = (zoom: number): ExpressionSpecification => ['*', 2 / KM_PER_PIXEL, 2 ** zoom, ['get', 'buffer_km']]
  return [
    {
      id: 'area-corridor',
      type: 'line',
      source: 'area',
      filter: ['==', ['geometry-type'], 'LineString'],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': colours.accent,
        'line-opacity': 0.2,
        'line-width': ['interpolate', ['exponential', 2], ['zoom'], 0, widthAt(0), LAST_ZOOM, widthAt(LAST_ZOOM)],
      },
    },
    {
      id: 'area-fill',
      type: 'fill',
      source: 'area',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': colours.accent, 'fill-opacity': 0.14 },
    },
    { id: 'area-edge', type: 'line', source: 'area', paint: { 'line-color': colours.accent, 'line-width': 1.8 } },
  ]
}
