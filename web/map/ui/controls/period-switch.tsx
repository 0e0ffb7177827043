import { MAP_PERIOD_NAMES } from '../../../../src/query/map-periods.ts'
import { useStore } from '../../../shared/store.ts'
import { changeView, currentView } from '../../view/current-view.ts'

const LABELS = { '24h': '24 h', '7d': '7 days', '30d': '30 days', '1y': '1 year', all: 'All' } as const

export function PeriodSwitch() {
  const { period } = useStore(currentView)
  return (
    <fieldset class="segments spans">
      <legend class="hidden">Span of time</legend>
      {MAP_PERIOD_NAMES.map((name) => (
        <label key={name} class={name === period ? 'segment on' : 'segment'}>
          <input
            class="hidden"
            type="radio"
            name="span"
            checked={name === period}
            onChange={() => changeView({ period: name, window: null })}
          />
          {LABELS[name]}
        </label>
      ))}
    </fieldset>
  )
}
