import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { numberText } from '../../../shared/text.ts'
import { queryApi } from '../../api.ts'
import { drawnRoad } from '../../canvas/commands.ts'
import { currentQuestion } from '../../data/current-question.ts'
import { mapQuery } from '../../data/question.ts'
import { onFeedEvent } from '../../live/feed.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { BUFFER_CHOICES_KM, MAX_ROAD_POINTS, type Road } from '../../view/shapes.ts'
import { PlaceSearch } from '../place-search.tsx'
import { DistanceChoice } from './near-me.tsx'

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

interface RoadStatistics {
  readonly total: {
    readonly count: number
    readonly casualties: Readonly<Record<'killed' | 'injured' | 'abducted', number | null>>
  }
}

const REFRESH_DELAY_MS = 5000

/** The incidents along the road in the chosen time, and the people they harmed. */
function RoadFigures({ road }: { road: Road }) {
  const { polygon } = useStore(currentQuestion)
  const query = mapQuery(useStore(currentQuestion))
  query.set('group_by', 'severity')
  const question = query.toString()
  const [total, setTotal] = useState<RoadStatistics['total'] | null>(null)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    const request = new AbortController()
    let refresh: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      refresh = undefined
      try {
        const asked = new URLSearchParams(question)
        const { total } = await queryApi<RoadStatistics>('/v1/stats', asked, { road, polygon }, request.signal)
        setTotal(total)
        setError(null)
      } catch (failure) {
        if (!request.signal.aborted) setError((failure as Error).message)
      }
    }
    setTotal(null)
    void load()
    const unsubscribe = onFeedEvent(() => {
      refresh ??= setTimeout(load, REFRESH_DELAY_MS)
    })
    return () => {
      request.abort()
      clearTimeout(refresh)
      unsubscribe()
    }
  }, [question, road, polygon])
  if (error !== null) return <p class="tool-note">{error}</p>
  if (total === null) return <p class="tool-note">{t('map.road_counting')}</p>
  const { killed, injured, abducted } = total.casualties
  return (
    <p class="tool-note" role="status">
      <strong>{t('map.road_incidents', { count: total.count, km: road.bufferKm })}</strong>
      <br />
      {t('map.road_casualties', {
        killed: numberText(killed ?? 0),
        injured: numberText(injured ?? 0),
        abducted: numberText(abducted ?? 0),
      })}
    </p>
  )
}
