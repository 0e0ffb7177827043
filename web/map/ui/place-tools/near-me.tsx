import { useId, useState } from 'preact/hooks'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { RADIUS_CHOICES_KM } from '../../view/shapes.ts'

type Locating = 'idle' | 'asking' | 'refused' | 'failed' | 'abroad'

const DEFAULT_RADIUS_KM = 25
const TIMEOUT_MS = 20_000
/** A position of some minutes ago is good enough, and comes at once. */
const MAX_AGE_MS = 300_000
/** West, south, east, north of Nigeria and its waters. */
const [WEST, SOUTH, EAST, NORTH] = [2, 3.5, 15.2, 14.4]

const MESSAGES = {
  asking: 'map.near_asking',
  refused: 'map.near_refused',
  failed: 'map.near_failed',
  abroad: 'map.near_abroad',
} as const

/** Restricts the map to a circle around the reader's position. */
export function NearMe() {
  const { near } = useStore(currentView)
  const [locating, setLocating] = useState<Locating>('idle')
  const radiusKm = near?.radiusKm ?? DEFAULT_RADIUS_KM
  const locate = () => {
    if (!('geolocation' in navigator)) return setLocating('failed')
    setLocating('asking')
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude: lat, longitude: lng } }) => {
        const isInNigeria = lng > WEST && lng < EAST && lat > SOUTH && lat < NORTH
        setLocating(isInNigeria ? 'idle' : 'abroad')
        if (isInNigeria) changeView({ near: { lat: rounded(lat), lng: rounded(lng), radiusKm } })
      },
      ({ code, PERMISSION_DENIED }) => setLocating(code === PERMISSION_DENIED ? 'refused' : 'failed'),
      { timeout: TIMEOUT_MS, maximumAge: MAX_AGE_MS },
    )
  }
  return (
    <>
      <h2>{t('map.near_title')}</h2>
      <DistanceChoice
        label={t('map.near_radius')}
        choices={RADIUS_CHOICES_KM}
        chosen={radiusKm}
        onChoose={(km) => near && changeView({ near: { ...near, radiusKm: km } })}
        disabled={near === null}
      />
      {locating !== 'idle' && (
        <p class="tool-note" role="status">
          {t(MESSAGES[locating])}
        </p>
      )}
      <p class="tool-actions">
        <button type="button" class="button" onClick={locate} disabled={locating === 'asking'}>
          {t(near === null ? 'map.near_use_position' : 'map.near_again')}
        </button>
        {near !== null && (
          <button type="button" class="text-button" onClick={() => changeView({ near: null })}>
            {t('map.near_remove')}
          </button>
        )}
      </p>
      <p class="quiet">{t('map.near_privacy')}</p>
    </>
  )
}

/** To 100 m, as in the address. */
function rounded(degrees: number): number {
  return Number(degrees.toFixed(3))
}

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
