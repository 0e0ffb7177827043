import type { Feature } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { TerraDraw, TerraDrawCircleMode, TerraDrawLineStringMode, TerraDrawPolygonMode } from 'terra-draw'
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter'
import type { Area, DrawnKind } from '../area/area.ts'
import { areaOfFeature } from '../area/drawn-feature.ts'

const MODES = { polygon: 'polygon', circle: 'circle', route: 'linestring' } as const satisfies Record<DrawnKind, string>

/** Draws one shape on the map by pointer; the returned function ends it early. */
export function drawShape(map: MapLibre, kind: DrawnKind, colour: string, onDrawn: (area: Area) => void): () => void {
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
