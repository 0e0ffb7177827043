import { useId } from 'preact/hooks'
import { t } from '../../../shared/language.ts'

interface DistanceChoiceProperties {
  readonly label: string
  readonly choices: readonly number[]
  readonly chosen: number
  readonly disabled?: boolean
  readonly onChoose: (km: number) => void
}

/** A choice of kilometres; a link may have brought another distance than those offered. */
export function DistanceChoice({ label, choices, chosen, disabled = false, onChoose }: DistanceChoiceProperties) {
  const id = useId()
  const offered = [...new Set([...choices, chosen])].sort((one, other) => one - other)
  return (
    <fieldset class="segments distances" disabled={disabled}>
      <legend>{label}</legend>
      {offered.map((km) => (
        <label key={km} class={km === chosen ? 'segment on' : 'segment'}>
          <input class="hidden" type="radio" name={id} checked={km === chosen} onChange={() => onChoose(km)} />
          {t('map.kilometres', { km })}
        </label>
      ))}
    </fieldset>
  )
}
