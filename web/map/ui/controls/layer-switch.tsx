import { useStore } from '../../../shared/store.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { LAYERS } from '../../view/view.ts'

const LABELS = { incidents: 'Incidents', heat: 'Heat', states: 'By state' } as const

export function LayerSwitch() {
  const { layer } = useStore(currentView)
  return (
    <fieldset class="segments">
      <legend class="hidden">Layer of the map</legend>
      {LAYERS.map((name) => (
        <label key={name} class={name === layer ? 'segment on' : 'segment'}>
          <input
            class="hidden"
            type="radio"
            name="layer"
            checked={name === layer}
            onChange={() => changeView({ layer: name })}
          />
          {LABELS[name]}
        </label>
      ))}
    </fieldset>
  )
}
