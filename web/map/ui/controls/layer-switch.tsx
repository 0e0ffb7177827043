import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { LAYERS } from '../../view/view.ts'

export function LayerSwitch() {
  const { layer } = useStore(currentView)
  return (
    <fieldset class="segments">
      <legend class="hidden">{t('map.layer')}</legend>
      {LAYERS.map((name) => (
        <label key={name} class={name === layer ? 'segment on' : 'segment'}>
          <input
            class="hidden"
            type="radio"
            name="layer"
            checked={name === layer}
            onChange={() => changeView({ layer: name })}
          />
          {t(`map.layer_${name}`)}
        </label>
      ))}
    </fieldset>
  )
}
