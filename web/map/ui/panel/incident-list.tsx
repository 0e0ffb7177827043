import type { Incident } from '../../../../src/domain/incident.ts'
import { SEVERITY_DESCRIPTIONS } from '../../../../src/domain/taxonomy.ts'
import { SeverityDot } from '../../../shared/components/severity-dot.tsx'
import { ago, incidentCountText, numberText, placeText } from '../../../shared/format.ts'
import { useStore } from '../../../shared/store.ts'
import { confidenceText } from '../../../shared/words.ts'
import { hoveredPoint } from '../../canvas/commands.ts'
import { incidentList, loadNextPage, reloadIncidents, visibleBox } from '../../data/incident-list.ts'
import { useStatistics } from '../../data/statistics.ts'
import { initialData } from '../../initial-data.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { filterCount, filterOf, NO_FILTERS } from '../../view/view.ts'
import { PERIOD_TEXTS } from '../controls/period-switch.tsx'
import { useNow } from '../use-now.ts'

/** The incidents that the map shows, newest first. */
export function IncidentList() {
  const { incidents, nextCursor, loading, error, arrivedIds } = useStore(incidentList)
  const time = useNow()
  return (
    <div class="list" aria-busy={loading}>
      <ListHead />
      {initialData.misread && (
        <p class="note warning">Part of this link could not be read, so it was left out. Choose the filters again.</p>
      )}
      {error && (
        <p class="note warning" role="alert">
          {error}{' '}
          <button type="button" class="text-button" onClick={() => reloadIncidents()}>
            Try now
          </button>
        </p>
      )}
      {incidents.length === 0 && !error && (loading ? <p class="empty">Looking …</p> : <NoMatches />)}
      <ol class="rows">
        {incidents.map((incident) => (
          <IncidentRow key={incident.id} incident={incident} time={time} arrived={arrivedIds.has(incident.id)} />
        ))}
      </ol>
      {nextCursor !== null && incidents.length > 0 && (
        <button type="button" class="more" disabled={loading} onClick={loadNextPage}>
          {loading ? 'Loading …' : 'Show more'}
        </button>
      )}
    </div>
  )
}

function ListHead() {
  const view = useStore(currentView)
  const box = useStore(visibleBox)
  const query = filterOf(view)
  query.set('group_by', 'severity')
  const all = useStatistics(query.toString()).statistics?.total.count
  if (box) query.set('bbox', box.join(','))
  const here = useStatistics(box ? query.toString() : null).statistics?.total.count
  return (
    <div class="list-head">
      <h1>{all === undefined ? 'Incidents' : incidentCountText(all)}</h1>
      <span class="quiet">
        {box
          ? here === undefined
            ? 'in this view …'
            : `${numberText(here)} in this view`
          : `in ${PERIOD_TEXTS[view.period]}`}
      </span>
      {box && (
        <button type="button" class="text-button" onClick={() => changeView({ camera: null })}>
          All of Nigeria
        </button>
      )}
    </div>
  )
}

function NoMatches() {
  const view = useStore(currentView)
  const box = useStore(visibleBox)
  const isFiltered = filterCount(view) > 0 || view.window !== null
  return (
    <div class="empty">
      <p>No incident matches {box ? 'in this part of the map' : `in ${PERIOD_TEXTS[view.period]}`}.</p>
      {isFiltered && (
        <button type="button" class="button" onClick={() => changeView(NO_FILTERS)}>
          Clear the filters
        </button>
      )}
      {box && (
        <button type="button" class="button" onClick={() => changeView({ camera: null })}>
          Show all of Nigeria
        </button>
      )}
      {!isFiltered && !box && view.period !== 'all' && (
        <button type="button" class="button" onClick={() => changeView({ period: 'all' })}>
          Show all years
        </button>
      )}
    </div>
  )
}

function IncidentRow({ incident, time, arrived }: { incident: Incident; time: number; arrived: boolean }) {
  const { incident: selectedId } = useStore(currentView)
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    changeView({ incident: incident.id })
  }
  const hover = () => hoveredPoint.set({ lat: incident.lat, lng: incident.lng })
  const unhover = () => hoveredPoint.set(null)
  return (
    <li>
      <a
        class={arrived ? 'row fresh' : 'row'}
        id={`row-${incident.id}`}
        href={`/incidents/${incident.id}`}
        aria-current={selectedId === incident.id}
        onClick={open}
        onMouseEnter={hover}
        onMouseLeave={unhover}
        onFocus={hover}
        onBlur={unhover}
      >
        <SeverityDot severity={incident.severity} />
        <span class="row-summary">{incident.summary}</span>
        <span class="row-meta">
          <span class="hidden">{SEVERITY_DESCRIPTIONS[incident.severity].label} severity. </span>
          {placeText(incident)} · <time dateTime={incident.published_at!}>{ago(incident.published_at!, time)}</time> ·{' '}
          <span class="together">{confidenceText(incident.confidence)}</span>
        </span>
      </a>
    </li>
  )
}
