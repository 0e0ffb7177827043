import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { drawnRoad } from '../../canvas/commands.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { BUFFER_CHOICES_KM, MAX_ROAD_POINTS, type Road } from '../../view/near-and-road.ts'
import { PlaceSearch } from '../controls/place-search.tsx'
import { DistanceChoice } from './distance-choice.tsx'
import { RoadFigures } from './road-figures.tsx'

interface Stop {
  /** Null for a point of the map. */
  readonly name: string | null
  readonly at: readonly [number, number]
}

const DEFAULT_BUFFER_KM = 5

/** Restricts list and figures to a road: towns on the way, or a line drawn on the map. */
export function RoadPlanner() {
  const { road } = useStore(currentView)
  const drawing = useStore(drawnRoad)
  const [stops, setStops] = useState<readonly Stop[]>(() => stopsOf(road))
  const bufferKm = road?.bufferKm ?? DEFAULT_BUFFER_KM
  const show = (next: readonly Stop[]) => {
    setStops(next)
    changeView({ road: next.length < 2 ? null : { line: next.map(({ at }) => at), bufferKm } })
  }
  // Closing the panel ends drawing.
  useEffect(() => () => drawnRoad.set(null), [])
  const finishDrawing = () => {
    const points = drawnRoad.get() ?? []
    drawnRoad.set(null)
    if (points.length > 1) show(points.map((at) => ({ name: null, at })))
  }
  if (drawing !== null)
    return (
      <>
        <h2>{t('map.road_title')}</h2>
        <p class="tool-note" role="status">
          {t('map.road_drawing', { count: drawing.length })}
        </p>
        <p class="tool-actions">
          <button type="button" class="button" onClick={finishDrawing} disabled={drawing.length < 2}>
            {t('map.road_finish')}
          </button>
          <button type="button" class="text-button" onClick={() => drawnRoad.set(drawing.slice(0, -1))}>
            {t('map.road_undo')}
          </button>
          <button type="button" class="text-button" onClick={() => drawnRoad.set(null)}>
            {t('map.road_cancel')}
          </button>
        </p>
      </>
    )
  return (
    <>
      <h2>{t('map.road_title')}</h2>
      {stops.length > 0 && (
        <ol class="stops">
          {stops.map((stop, index) => (
            <li key={`${stop.at}`}>
              <span>{stop.name ?? t('map.road_point', { number: index + 1 })}</span>
              <button
                type="button"
                class="icon-button"
                onClick={() => show(stops.filter((one) => one !== stop))}
                aria-label={t('map.road_remove_stop', { name: stop.name ?? String(index + 1) })}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ol>
      )}
      {stops.length < MAX_ROAD_POINTS && (
        <PlaceSearch
          label={t(stops.length === 0 ? 'map.road_from' : 'map.road_via')}
          onChoose={({ name, lat, lng }) => show([...stops, { name, at: [rounded(lng), rounded(lat)] }])}
        />
      )}
      <DistanceChoice
        label={t('map.road_buffer')}
        choices={BUFFER_CHOICES_KM}
        chosen={bufferKm}
        onChoose={(km) => road && changeView({ road: { ...road, bufferKm: km } })}
        disabled={road === null}
      />
      {road !== null && <RoadFigures road={road} />}
      <p class="tool-actions">
        <button type="button" class="button" onClick={() => drawnRoad.set([])}>
          {t('map.road_draw')}
        </button>
        {stops.length > 0 && (
          <button type="button" class="text-button" onClick={() => show([])}>
            {t('map.road_remove')}
          </button>
        )}
      </p>
      <p class="quiet">{t('map.road_straight')}</p>
    </>
  )
}

function stopsOf(road: Road | null): Stop[] {
  return (road?.line ?? []).map((at) => ({ name: null, at }))
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(3))
}
