import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../shared/components.tsx'
import { LANDSCAPE_PHONE, useMediaQuery } from '../../../shared/hooks.ts'
import { t } from '../../../shared/language.ts'
import { createStore, useStore } from '../../../shared/store.ts'
import { incidentCountText } from '../../../shared/text.ts'
import { mapState } from '../../canvas/loading/wanted.ts'
import { usePageState } from '../../data/page-figures.ts'
import { isArchiveEmpty, shownIncidents, snapshot } from '../../data/snapshot.ts'
import { initialData } from '../../initial-data.ts'
import { currentView } from '../../view/current-view.ts'
import { filterCount } from '../../view/view.ts'
import { DraftNote, LayerSwitch } from '../controls.tsx'
import { Filters } from '../filters.tsx'
import { PlaceSearch } from '../place-search.tsx'
import { IncidentCard } from './incident-card.tsx'
import { IncidentList } from './incident-list.tsx'

const POSITIONS = ['peek', 'half', 'full'] as const
type SheetPosition = (typeof POSITIONS)[number]

interface SheetState {
  readonly position: SheetPosition
  readonly showsFilters: boolean
  /** True once the reader has chosen a position. */
  readonly moved: boolean
}

/** At half until the map is drawn: the list can be read, and the picture seen above it. */
const sheet = createStore<SheetState>({ position: 'half', showsFilters: false, moved: false })

export function openSheet(): void {
  sheet.patch({ position: 'full', moved: true })
}

/** Opens the sheet with the filters; lies over the map within reach of the thumb. */
export function FilterButton() {
  const filters = filterCount(useStore(currentView))
  const { showsFilters, position } = useStore(sheet)
  const open = showsFilters && position !== 'peek'
  return (
    <button
      type="button"
      class="icon-button filter-button"
      aria-expanded={open}
      onClick={() => sheet.set({ position: open ? 'peek' : 'full', showsFilters: !open, moved: true })}
    >
      <Icon name="filter" />
      <span class="hidden">{filters > 0 ? t('map.filters_set', { count: filters }) : t('map.filters')}</span>
      {filters > 0 && (
        <span class="badge" aria-hidden="true">
          {filters}
        </span>
      )}
    </button>
  )
}

/** The list or the card on a phone: a sheet over the map with three positions. */
export function Sheet() {
  const { incident } = useStore(currentView)
  const { position, showsFilters } = useStore(sheet)
  useEffect(() => {
    if (incident !== null && sheet.get().position === 'peek') sheet.patch({ position: 'half' })
  }, [incident])
  const isEmpty = isArchiveEmpty(useStore(snapshot))
  const beside = useMediaQuery(LANDSCAPE_PHONE)
  const map = useStore(mapState)
  useEffect(() => {
    const { moved } = sheet.get()
    const hasList = currentView.get().incident === null && !isArchiveEmpty(snapshot.get())
    if (map === 'ready' && !moved && hasList) sheet.patch({ position: 'peek' })
  }, [map])
  const moveBy = (steps: number) => sheet.patch({ position: movedBy(sheet.get().position, steps), moved: true })
  const { drag, ...handlers } = useDrag(moveBy)
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    moveBy(steps)
  }
  return (
    <section
      class={`sheet ${position}`}
      aria-label={t('map.incidents')}
      style={drag === 0 ? {} : { transform: `translateY(${drag}px)`, transition: 'none' }}
    >
      <button
        type="button"
        class="sheet-handle"
        aria-expanded={position !== 'peek'}
        onClick={() => moveBy(position === 'full' ? -2 : 1)}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        <span class="grip" />
        <span class="hidden">{t(position === 'full' ? 'map.sheet_smaller' : 'map.sheet_larger')}</span>
        {position === 'peek' && <PeekLine />}
      </button>
      {initialData.demo && <span class="pill synthetic">{t('map.synthetic')}</span>}
      <div class="sheet-body" id="list" tabIndex={-1} inert={position === 'peek' && !beside}>
        {incident !== null ? (
          <IncidentCard />
        ) : (
          <>
            {!isEmpty && (
              <div class="sheet-tools">
                <LayerSwitch />
              </div>
            )}
            {showsFilters && (
              <>
                <PlaceSearch />
                <Filters />
              </>
            )}
            <DraftNote />
            <IncidentList />
          </>
        )}
      </div>
    </section>
  )
}

/** The total and the newest headline: what the sheet would show if it were open. */
function PeekLine() {
  const { figures } = usePageState()
  const [newest] = shownIncidents(useStore(snapshot))
  return (
    <span class="peek-line">
      {figures !== null && <strong>{incidentCountText(figures.total.count)}</strong>}
      {newest && <span class="peek-newest">{newest.summary}</span>}
    </span>
  )
}

function movedBy(position: SheetPosition, steps: number): SheetPosition {
  return POSITIONS[Math.min(2, Math.max(0, POSITIONS.indexOf(position) + steps))]!
}

/** A shorter drag is a tap. */
const MIN_DRAG_PX = 30
const LONG_DRAG_PX = 260

/** Follows a vertical drag; on release, reports 1 step, or 2 after a long drag. Up is positive. */
function useDrag(onRelease: (steps: number) => void) {
  const [drag, setDrag] = useState(0)
  const start = useRef<number | null>(null)
  const wasDrag = useRef(false)
  const finish = () => {
    wasDrag.current = Math.abs(drag) > MIN_DRAG_PX
    const steps = Math.abs(drag) > LONG_DRAG_PX ? 2 : 1
    if (wasDrag.current) onRelease(drag < 0 ? steps : -steps)
    start.current = null
    setDrag(0)
  }
  return {
    drag,
    onPointerDown(event: PointerEvent) {
      start.current = event.clientY
      ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent) {
      if (start.current !== null) setDrag(event.clientY - start.current)
    },
    onPointerUp: finish,
    onPointerCancel: finish,
    // The browser sends a click after a drag, which would move the sheet once more.
    onClickCapture(event: MouseEvent) {
      if (wasDrag.current) event.stopPropagation()
      wasDrag.current = false
    },
  }
}
