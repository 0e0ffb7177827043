import { zoomBy } from '../../canvas/commands.ts'
import { changeView } from '../../view/current-view.ts'

export function Zoom() {
  return (
    <fieldset class="zoom">
      <legend class="hidden">Zoom</legend>
      <button type="button" onClick={() => zoomBy(1)} aria-label="Zoom in">
        +
      </button>
      <button type="button" onClick={() => zoomBy(-1)} aria-label="Zoom out">
        −
      </button>
      <button
        type="button"
        onClick={() => changeView({ camera: null })}
        aria-label="All of Nigeria"
        title="All of Nigeria"
      >
        ⌂
      </button>
    </fieldset>
  )
}
