import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../shared/components/icon.tsx'
import { createStore, useStore } from '../../../shared/store.ts'
import { list } from '../../data/incident-list.ts'
import { currentView } from '../../view/current-view.ts'
import { filterCount } from '../../view/view.ts'
import { LayerSwitch } from '../controls/layer-switch.tsx'
import { PlaceSearch } from '../controls/place-search.tsx'
import { Filters } from '../filters/filters.tsx'
import { Card } from './incident-card.tsx'
import { List } from './incident-list.tsx'

const RESTS = ['peek', 'half', 'full'] as const
type Rest = (typeof RESTS)[number]

/** How far the sheet is out, and whether it shows the filters. */
const sheet = createStore<{ readonly rest: Rest; readonly filtering: boolean }>({ rest: 'peek', filtering: false })

/** Over the map, where a thumb finds it. */
export function FilterButton() {
  const filters = filterCount(useStore(currentView))
  const { filtering, rest } = useStore(sheet)
  const open = filtering && rest !== 'peek'
  return (
    <button
      type="button"
      class="icon-button filter-button"
      aria-expanded={open}
      onClick={() => sheet.set(open ? { rest: 'peek', filtering: false } : { rest: 'full', filtering: true })}
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

/** The list, or the card, on a phone: a sheet over the map with three rests. */
export function Sheet() {
  const { incident } = useStore(currentView)
  const { rest, filtering } = useStore(sheet)
  const { incidents } = useStore(list)
  const [newest] = incidents
  useEffect(() => {
    if (incident !== null && sheet.get().rest === 'peek') sheet.patch({ rest: 'half' })
  }, [incident])
  const { drag, ...handlers } = useDrag((by) => sheet.patch({ rest: moved(sheet.get().rest, by) }))
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    sheet.patch({ rest: moved(rest, by) })
  }
  return (
    <section
      class={`sheet ${rest}`}
      aria-label="Incidents"
      style={drag === 0 ? {} : { transform: `translateY(${drag}px)`, transition: 'none' }}
    >
      <button
        type="button"
        class="sheet-handle"
        aria-expanded={rest !== 'peek'}
        onClick={() => sheet.patch({ rest: rest === 'full' ? 'peek' : moved(rest, 1) })}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        <span class="grip" />
        <span class="hidden">{rest === 'full' ? 'Make the list small' : 'Make the list larger'}</span>
        {rest === 'peek' && <span class="peek-line">{newest ? newest.summary : 'No incident in this span'}</span>}
      </button>
      <div class="sheet-body" inert={rest === 'peek'}>
        {incident !== null ? (
          <Card />
        ) : (
          <>
            <div class="sheet-tools">
              <LayerSwitch />
            </div>
            {filtering && (
              <>
                <PlaceSearch />
                <Filters />
              </>
            )}
            <List />
          </>
        )}
      </div>
    </section>
  )
}

function moved(rest: Rest, by: number): Rest {
  return RESTS[Math.min(2, Math.max(0, RESTS.indexOf(rest) + by))]!
}

/** Less than this is a tap. */
const LEAST_DRAG = 30
const LONG_DRAG = 260

/** How far the handle is dragged, and one or two rests further when it is let go. */
function useDrag(onMove: (by: number) => void) {
  const [drag, setDrag] = useState(0)
  const start = useRef<number | null>(null)
  const wasDrag = useRef(false)
  const finish = () => {
    wasDrag.current = Math.abs(drag) > LEAST_DRAG
    const rests = Math.abs(drag) > LONG_DRAG ? 2 : 1
    if (wasDrag.current) onMove(drag < 0 ? rests : -rests)
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
    // A drag ends with a click too, which would move the sheet once more.
    onClickCapture(event: MouseEvent) {
      if (wasDrag.current) event.stopPropagation()
      wasDrag.current = false
    },
  }
}
