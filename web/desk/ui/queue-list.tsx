import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { SeverityDot } from '../../shared/components.tsx'
import { useStore } from '../../shared/store.ts'
import { ago, placeText } from '../../shared/text.ts'
import { foreignClaim } from '../claims.ts'
import type { DeskIncident } from '../desk-api.ts'
import { useNow } from '../person.ts'
import { loadMoreRows, queue, selection, shownRows, toggleSelected } from '../queue.ts'
import { currentId, openReport } from '../report.ts'
import { isReportOpen } from '../view.ts'
import { type Anchor, anchorIn, scrollAfter, visibleRange } from '../virtual-rows.ts'
import { ORIGIN_WORDS } from '../words.ts'

/** The height of a row, in rem: it grows with the reader's font. */
const ROW_REM = 4.5
/** Rows before the end of the list at which the next page is loaded. */
const LOAD_AHEAD = 40

/** Draws only the rows in view. Rows that come or go elsewhere do not move those that one reads. */
export function QueueList() {
  const rows = useStore(shownRows)
  const current = useStore(currentId)
  const chosen = useStore(selection)
  const { cursor } = useStore(queue)
  const now = useNow()
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 800 })
  const rowHeight = ROW_REM * rootFontSize()
  const noted = useRef<{ top: number; anchors: readonly Anchor[] }>({ top: 0, anchors: [] })
  const range = visibleRange(view.top, view.height, rowHeight, rows.length)

  useLayoutEffect(() => {
    const element = scroller.current!
    const scroll = { top: element.scrollTop, maxTop: element.scrollHeight - element.clientHeight }
    const top = scrollAfter(noted.current.anchors, noted.current.top, scroll, rows, rowHeight)
    if (top !== null && Math.abs(top - element.scrollTop) >= 1) element.scrollTop = top
  }, [rows])
  useLayoutEffect(() => {
    const element = scroller.current!
    const index = rows.findIndex(({ id }) => id === current)
    if (index < 0) return
    const [start, end] = [index * rowHeight, (index + 1) * rowHeight]
    if (start < element.scrollTop) element.scrollTop = start
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight
  }, [current])
  useLayoutEffect(() => {
    const element = scroller.current!
    const { scrollTop: top, clientHeight } = element
    noted.current = { top, anchors: anchorIn(rows, current, top, clientHeight, rowHeight) }
  })
  useEffect(() => {
    const element = scroller.current!
    const observer = new ResizeObserver(() => setView({ top: element.scrollTop, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (range.last >= rows.length - LOAD_AHEAD) void loadMoreRows()
  }, [range.last, rows, cursor])

  const above = rows.findIndex(({ id }) => id === rows[range.firstVisible]?.id)
  return (
    <>
      <div
        class="rows-scroller"
        ref={scroller}
        onScroll={({ currentTarget: { scrollTop, clientHeight } }) => {
          setView({ top: scrollTop, height: clientHeight })
        }}
      >
        <ul class="rows" style={{ height: `${rows.length * rowHeight}px` }} aria-label="Reports">
          {rows.slice(range.first, range.last).map((incident, index) => (
            <QueueRow
              key={incident.id}
              incident={incident}
              top={(range.first + index) * rowHeight}
              position={range.first + index + 1}
              size={cursor === null ? rows.length : -1}
              isCurrent={incident.id === current}
              isSelected={chosen.has(incident.id)}
              now={now}
            />
          ))}
        </ul>
      </div>
      {above > 0 && (
        <button type="button" class="to-top" onClick={() => scroller.current!.scrollTo({ top: 0 })}>
          {above} above
        </button>
      )}
    </>
  )
}

function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

interface QueueRowProperties {
  readonly incident: DeskIncident
  readonly top: number
  readonly position: number
  readonly size: number
  readonly isCurrent: boolean
  readonly isSelected: boolean
  readonly now: number
}

/** Drawn again only if something of it has changed: a scroll passes many rows. */
function QueueRow(properties: QueueRowProperties) {
  return useMemo(() => <Row {...properties} />, Object.values(properties))
}

function Row({ incident, top, position, size, isCurrent, isSelected, now }: QueueRowProperties) {
  const { id, severity, summary, desk } = incident
  const claim = foreignClaim(incident)
  const open = () => {
    openReport(id)
    isReportOpen.set(true)
  }
  return (
    <li
      class={`row ${isCurrent ? 'current' : ''} ${isSelected ? 'selected' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      aria-setsize={size}
      aria-posinset={position}
    >
      <span class="row-mark">
        <SeverityDot severity={severity} />
        <input
          type="checkbox"
          checked={isSelected}
          onChange={() => toggleSelected(id)}
          aria-label={`Select: ${summary}`}
        />
      </span>
      <button type="button" class="row-body" aria-current={isCurrent ? 'true' : undefined} onClick={open}>
        <span class="row-summary">{summary}</span>
        <span class="row-meta">
          <span class="row-place">{placeText(incident)}</span>
          <span>{ago(incident.reported_at, now)}</span>
          <span>{ORIGIN_WORDS[desk.origin]}</span>
          {desk.possible_duplicates !== null && desk.possible_duplicates.length > 0 && (
            <span class="tag" title="Possible duplicates">
              {desk.possible_duplicates.length} alike
            </span>
          )}
          {claim && <span class="tag claimed">{claim.by.name}</span>}
        </span>
      </button>
    </li>
  )
}
