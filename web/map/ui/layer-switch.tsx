import { changeView, currentView } from '../current-view.ts'
import { useStore } from '../store.ts'
import { LAYERS } from '../view.ts'

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
