import type { Incident } from '../../../../src/domain/incident.ts'
import { SEVERITY_DESCRIPTIONS } from '../../../../src/domain/taxonomy.ts'
import { Mark } from '../../../shared/components/severity-dot.tsx'
import { ago, count, incidents as incidentCount, percent, whereOf } from '../../../shared/format.ts'
import { useStore } from '../../../shared/store.ts'
import { pointedAt } from '../../canvas/commands.ts'
import { list, loadMore, mapBox, reload } from '../../data/incident-list.ts'
import { useStatistics } from '../../data/statistics.ts'
import { initialData } from '../../initial-data.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { filterCount, filterOf, NO_FILTERS } from '../../view/view.ts'
import { SPAN_WORDS } from '../controls/span-switch.tsx'
import { useNow } from '../use-now.ts'

/** The incidents that the map shows, newest first. */
export function List() {
  const { incidents, nextCursor, loading, error, fresh } = useStore(list)
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
          <button type="button" class="text-button" onClick={() => reload()}>
            Try now
          </button>
        </p>
      )}
      {incidents.length === 0 && !error && (loading ? <p class="empty">Looking …</p> : <Empty />)}
      <ol class="rows">
        {incidents.map((incident) => (
          <Row key={incident.id} incident={incident} time={time} fresh={fresh.has(incident.id)} />
        ))}
      </ol>
      {nextCursor !== null && incidents.length > 0 && (
        <button type="button" class="more" disabled={loading} onClick={loadMore}>
          {loading ? 'Loading …' : 'Show more'}
        </button>
      )}
    </div>
  )
}

function ListHead() {
  const view = useStore(currentView)
  const box = useStore(mapBox)
  const query = filterOf(view)
  query.set('group_by', 'severity')
  const all = useStatistics(query.toString()).statistics?.total.count
  if (box) query.set('bbox', box.join(','))
  const here = useStatistics(box ? query.toString() : null).statistics?.total.count
  return (
    <div class="list-head">
      <h1>{all === undefined ? 'Incidents' : incidentCount(all)}</h1>
      <span class="quiet">
        {box ? (here === undefined ? 'in this view …' : `${count(here)} in this view`) : `in ${SPAN_WORDS[view.span]}`}
      </span>
      {box && (
        <button type="button" class="text-button" onClick={() => changeView({ camera: null })}>
          All of Nigeria
        </button>
      )}
    </div>
  )
}

function Empty() {
  const view = useStore(currentView)
  const box = useStore(mapBox)
  const narrow = filterCount(view) > 0 || view.window !== null
  return (
    <div class="empty">
      <p>No incident matches {box ? 'in this part of the map' : `in ${SPAN_WORDS[view.span]}`}.</p>
      {narrow && (
        <button type="button" class="button" onClick={() => changeView(NO_FILTERS)}>
          Clear the filters
        </button>
      )}
      {box && (
        <button type="button" class="button" onClick={() => changeView({ camera: null })}>
          Show all of Nigeria
        </button>
      )}
      {!narrow && !box && view.span !== 'all' && (
        <button type="button" class="button" onClick={() => changeView({ span: 'all' })}>
          Show all years
        </button>
      )}
    </div>
  )
}

function Row({ incident, time, fresh }: { incident: Incident; time: number; fresh: boolean }) {
  const { incident: chosen } = useStore(currentView)
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    changeView({ incident: incident.id })
  }
  const point = () => pointedAt.set({ lat: incident.lat, lng: incident.lng })
  const unpoint = () => pointedAt.set(null)
  return (
    <li>
      <a
        class={fresh ? 'row fresh' : 'row'}
        id={`row-${incident.id}`}
        href={`/incidents/${incident.id}`}
        aria-current={chosen === incident.id}
        onClick={open}
        onMouseEnter={point}
        onMouseLeave={unpoint}
        onFocus={point}
        onBlur={unpoint}
      >
        <Mark severity={incident.severity} />
        <span class="row-summary">{incident.summary}</span>
        <span class="row-meta">
          <span class="hidden">{SEVERITY_DESCRIPTIONS[incident.severity].label} severity. </span>
          {whereOf(incident)} · <time dateTime={incident.published_at!}>{ago(incident.published_at!, time)}</time> ·{' '}
          <span class="together">confidence {percent(incident.confidence)}</span>
        </span>
      </a>
    </li>
  )
}
