import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../../../shared/language.ts'
import { useStore } from '../../../../shared/store.ts'
import { numberText } from '../../../../shared/text.ts'
import { arrivals, setListReader, showWaitingArrivals } from '../../../data/arrivals.ts'
import { usePageState } from '../../../data/figures/page-figures.ts'
import { isArchiveEmpty, loadNextPage, shownIncidents, snapshot } from '../../../data/snapshot.ts'
import { initialData } from '../../../initial-data.ts'
import { currentView } from '../../../view/current-view.ts'
import { useRowLimit } from '../../first-drawing.tsx'
import { useNow } from '../../use-now.ts'
import { EmptyArchive } from './empty-archive.tsx'
import { FailureNote } from './failure-note.tsx'
import { IncidentRow } from './incident-row.tsx'
import { ListHead } from './list-head.tsx'
import { NoMatches } from './no-matches.tsx'

/** The incidents that the map shows, newest first. */
export function IncidentList() {
  const current = useStore(snapshot)
  const { arrived, waiting } = useStore(arrivals)
  const { figures, figuresAreOld, listIsOld, loading, failure } = usePageState()
  const { incident: selectedId } = useStore(currentView)
  const time = useNow()
  const rowLimit = useRowLimit()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => setListReader(() => isBeingRead(element.current)), [])
  const incidents = shownIncidents(current)
  const total = figuresAreOld ? undefined : figures?.total.count
  const isEmpty = isArchiveEmpty(current)
  const showWaiting = () => {
    showWaitingArrivals()
    scrollerOf(element.current)?.scrollTo({ top: 0 })
  }
  return (
    <div class="list" ref={element} data-query={current.list?.key} data-seq={current.list?.seq}>
      {isEmpty ? <EmptyArchive /> : <ListHead />}
      {initialData.corrections.map(({ given, readAs }) => (
        <p class="note warning" key={given}>
          {readAs === null ? t('filters.left_out', { given }) : t('filters.read_as', { given, name: readAs })}
        </p>
      ))}
      {failure !== null && <FailureNote message={failure.message} />}
      {waiting.size > 0 && (
        <button type="button" class="new-arrivals" onClick={showWaiting}>
          {t('panel.new_arrivals', { count: waiting.size })}
        </button>
      )}
      {!isEmpty &&
        incidents.length === 0 &&
        failure === null &&
        (loading || listIsOld ? <p class="empty">{t('panel.looking')}</p> : <NoMatches />)}
      <ol class="rows" aria-busy={loading || listIsOld} data-old={listIsOld}>
        {incidents.slice(0, rowLimit).map((incident) => (
          <IncidentRow
            key={incident.id}
            incident={incident}
            time={time}
            arrived={arrived.has(incident.id)}
            isSelected={selectedId === incident.id}
          />
        ))}
      </ol>
      {incidents.length > 0 && total !== undefined && !listIsOld && (
        <p class="quiet showing">
          {t('panel.showing', { count: numberText(incidents.length), total: numberText(total) })}
        </p>
      )}
      {current.list?.nextCursor != null && incidents.length > 0 && (
        <button type="button" class="more" disabled={loading} onClick={() => void loadNextPage()}>
          {loading ? t('common.loading') : t('panel.show_more')}
        </button>
      )}
    </div>
  )
}

function scrollerOf(list: HTMLElement | null): Element | null {
  return list?.closest('.panel-scroll, .sheet-body') ?? null
}

/** A list that is scrolled, under a pointer, focused, or open on a phone must not move. */
function isBeingRead(list: HTMLElement | null): boolean {
  if (list === null) return false
  const rows = list.querySelector('.rows')!
  const isScrolled = (scrollerOf(list)?.scrollTop ?? 0) > 0
  const isUnderFinger = list.closest('.sheet:not(.peek)') !== null
  return isScrolled || isUnderFinger || rows.matches(':hover') || rows.contains(document.activeElement)
}
