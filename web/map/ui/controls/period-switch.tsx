import { MAP_PERIOD_NAMES } from '../../../../src/filter/map-periods.ts'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { changeView, currentView } from '../../view/current-view.ts'

export function PeriodSwitch() {
  const { period } = useStore(currentView)
  return (
    <fieldset class="segments spans">
      <legend class="hidden">{t('map.span')}</legend>
      {MAP_PERIOD_NAMES.map((name) => (
        <label key={name} class={name === period ? 'segment on' : 'segment'}>
          <input
            class="hidden"
            type="radio"
            name="span"
            checked={name === period}
            onChange={() => changeView({ period: name, window: null })}
          />
          {t(`map.span_${name}`)}
        </label>
      ))}
    </fieldset>
  )
}
