import { useEffect } from 'preact/hooks'
import { Icon } from '../../../shared/components/icon.tsx'
import { createStore, useStore } from '../../../shared/store.ts'
import { shownIncidents, snapshot } from '../../data/snapshot.ts'
import { currentView } from '../../view/current-view.ts'
import { filterCount } from '../../view/view.ts'
import { LayerSwitch } from '../controls/layer-switch.tsx'
import { DraftNote } from '../controls/main-menu.tsx'
import { PlaceSearch } from '../controls/place-search.tsx'
import { Filters } from '../filters/filters.tsx'
import { IncidentCard } from './incident-card.tsx'
import { IncidentList } from './list/incident-list.tsx'
import { useDrag } from './use-drag.ts'

const POSITIONS = ['peek', 'half', 'full'] as const
type SheetPosition = (typeof POSITIONS)[number]

const sheet = createStore<{ readonly position: SheetPosition; readonly showsFilters: boolean }>({
  position: 'peek',
  showsFilters: false,
})

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
      onClick={() =>
        sheet.set(open ? { position: 'peek', showsFilters: false } : { position: 'full', showsFilters: true })
      }
    >
      <Icon name="filter" />
      <span class="hidden">Filters{filters > 0 && `, ${filters} set`}</span>
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
  const [newest] = shownIncidents(useStore(snapshot))
  useEffect(() => {
    if (incident !== null && sheet.get().position === 'peek') sheet.patch({ position: 'half' })
  }, [incident])
  const { drag, ...handlers } = useDrag((steps) => sheet.patch({ position: movedBy(sheet.get().position, steps) }))
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    sheet.patch({ position: movedBy(position, steps) })
  }
  return (
    <section
      class={`sheet ${position}`}
      aria-label="Incidents"
      style={drag === 0 ? {} : { transform: `translateY(${drag}px)`, transition: 'none' }}
    >
      <button
        type="button"
        class="sheet-handle"
        aria-expanded={position !== 'peek'}
        onClick={() => sheet.patch({ position: position === 'full' ? 'peek' : movedBy(position, 1) })}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        <span class="grip" />
        <span class="hidden">{position === 'full' ? 'Make the list small' : 'Make the list larger'}</span>
        {position === 'peek' && <span class="peek-line">{newest ? newest.summary : 'No incident in this span'}</span>}
      </button>
      <div class="sheet-body" inert={position === 'peek'}>
        {incident !== null ? (
          <IncidentCard />
        ) : (
          <>
            <div class="sheet-tools">
              <LayerSwitch />
            </div>
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

function movedBy(position: SheetPosition, steps: number): SheetPosition {
  return POSITIONS[Math.min(2, Math.max(0, POSITIONS.indexOf(position) + steps))]!
}
