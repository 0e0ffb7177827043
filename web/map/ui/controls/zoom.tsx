import { t } from '../../../shared/language.ts'
import { zoomBy } from '../../canvas/commands.ts'
import { changeView } from '../../view/current-view.ts'

export function Zoom() {
  return (
    <fieldset class="zoom">
      <legend class="hidden">{t('map.zoom')}</legend>
      <button type="button" onClick={() => zoomBy(1)} aria-label={t('map.zoom_in')}>
        +
      </button>
      <button type="button" onClick={() => zoomBy(-1)} aria-label={t('map.zoom_out')}>
        −
      </button>
      <button
        type="button"
        onClick={() => changeView({ camera: null })}
        aria-label={t('map.zoom_nigeria')}
        title={t('map.zoom_nigeria')}
      >
        ⌂
      </button>
    </fieldset>
  )
}
