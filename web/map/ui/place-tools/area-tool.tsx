import { useEffect } from 'preact/hooks'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { drawnArea } from '../../canvas/commands.ts'
import { wantMap } from '../../canvas/loading/wanted.ts'
import { visibleBox } from '../../data/current-question.ts'
import { initialData } from '../../initial-data.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { isWhole, MAX_CORNERS } from '../../view/shapes.ts'
import { PlaceSearch } from '../place-search.tsx'
import { alertAddress } from './alert-address.ts'

/**
 * Restricts list and counts to an area: its corners are tapped on the map, or are places by name.
 */
export function AreaTool() {
  const view = useStore(currentView)
  const corners = useStore(drawnArea)
  const { polygon } = view
  const draw = () => {
    wantMap()
    drawnArea.set([])
  }
  useEffect(() => {
    if (currentView.get().polygon === null) draw()
    // Closing the panel ends drawing.
    return () => drawnArea.set(null)
  }, [])
  if (corners !== null) return <Drawing corners={corners} />
  return (
    <>
      <h2>{t('map.area_title')}</h2>
      <p class="tool-note" role="status">
        {t(polygon === null ? 'map.area_hint' : 'map.area_shown')}
      </p>
      <p class="tool-actions">
        {polygon !== null && initialData.alerts && (
          <a class="button" href={alertAddress(view, null, document.documentElement.lang)}>
            {t('page.alerts')}
          </a>
        )}
        <button type="button" class={polygon === null ? 'button' : 'text-button'} onClick={draw}>
          {t('map.road_draw')}
        </button>
        {polygon !== null && (
          <button type="button" class="text-button" onClick={() => changeView({ polygon: null })}>
            {t('map.area_remove')}
          </button>
        )}
      </p>
    </>
  )
}

type Corners = NonNullable<ReturnType<typeof drawnArea.get>>

function Drawing({ corners }: { corners: Corners }) {
  const box = useStore(visibleBox)
  const isReady = isWhole(corners)
  const isFull = corners.length >= MAX_CORNERS
  const add = (lng: number, lat: number) => drawnArea.set([...corners, [rounded(lng), rounded(lat)]])
  const finish = () => {
    drawnArea.set(null)
    changeView({ polygon: corners, box: null })
  }
  return (
    <>
      <h2>{t('map.area_title')}</h2>
      <p class="tool-note" role="status">
        {t(corners.length > 2 && !isReady ? 'map.area_crossing' : 'map.area_drawing', { count: corners.length })}
      </p>
      <p class="tool-actions">
        <button type="button" class="button" onClick={finish} disabled={!isReady}>
          {t('map.road_finish')}
        </button>
        <button
          type="button"
          class="text-button"
          onClick={() => drawnArea.set(corners.slice(0, -1))}
          disabled={corners.length === 0}
        >
          {t('map.road_undo')}
        </button>
        <button type="button" class="text-button" onClick={() => drawnArea.set(null)}>
          {t('map.road_cancel')}
        </button>
      </p>
      {!isFull && (
        <details>
          <summary>{t('map.area_other_ways')}</summary>
          <PlaceSearch label={t('map.area_corner')} onChoose={({ lat, lng }) => add(lng, lat)} />
          {box !== null && (
            <button type="button" class="text-button" onClick={() => add((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)}>
              {t('map.area_middle')}
            </button>
          )}
        </details>
      )}
    </>
  )
}

/** To 100 m, as in the address. */
function rounded(degrees: number): number {
  return Number(degrees.toFixed(3))
}
