import type { Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import { changeView, currentView } from '../../view/current-view.ts'
import { isDrawing } from '../commands.ts'

/** In the layer "By state", a tap on a state chooses it. */
export function openStatesOn(map: MapLibre): void {
  const stateAt = ({ point }: MapMouseEvent): string | null => {
    if (currentView.get().layer !== 'states' || isDrawing() || !map.getLayer('shades')) return null
    const [feature] = map.queryRenderedFeatures(point, { layers: ['shades'] })
    return feature === undefined ? null : String(feature.properties.code)
  }
  map.on('click', (event) => {
    const code = stateAt(event)
    if (code !== null) changeView({ states: [code], lgas: [] })
  })
  map.on('mousemove', (event) => {
    if (currentView.get().layer === 'states') map.getCanvas().style.cursor = stateAt(event) === null ? '' : 'pointer'
  })
}
