import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../../shared/components/icon.tsx'
import { SeverityDot } from '../../../shared/components/severity-dot.tsx'
import { ago } from '../../../shared/format.ts'
import { useStore } from '../../../shared/store.ts'
import { severityText, typeText } from '../../../shared/words.ts'
import type { DeskIncident } from '../../api/types.ts'
import { isEditing, isReportOpen } from '../../panels.ts'
import { currentId } from '../../report/current.ts'
import { useDetails } from '../../report/details.ts'
import { ORIGIN_WORDS, STATUS_WORDS } from '../../words.ts'
import { Duplicates } from '../duplicates/duplicates.tsx'
import { useNow } from '../parts/use-now.ts'
import { ProposalsSection } from '../proposals/proposals-section.tsx'
import { ClaimNotice } from './claim-notice.tsx'
import { ConfidenceSection } from './confidence-section.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { Facts } from './facts.tsx'
import { FactsEditor } from './facts-editor.tsx'
import { HistorySection } from './history-section.tsx'
import { PlaceSection } from './place-section.tsx'
import { SourcesSection } from './sources-section.tsx'
import { TipSection } from './tip-section.tsx'
import { WrittenText } from './written-text.tsx'

export function ReportPanel({ withDuplicates }: { withDuplicates: boolean }) {
  const id = useStore(currentId)
  return (
    <article class="report" aria-label="Report">
      {id === null ? <NoReport /> : <OpenReport id={id} withDuplicates={withDuplicates} />}
    </article>
  )
}

function NoReport() {
  return (
    <div class="empty">
      <p>No report is open.</p>
      <p class="quiet">
        <kbd>j</kbd> and <kbd>k</kbd> move through the queue, <kbd>?</kbd> shows all keys.
      </p>
    </div>
  )
}

function OpenReport({ id, withDuplicates }: { id: string; withDuplicates: boolean }) {
  const { incident, history, failure } = useDetails(id)
  const editing = useStore(isEditing)
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => body.current?.scrollTo({ top: 0 }), [id])
  if (incident === null) return <p class="empty quiet">{failure?.message ?? 'The report is being loaded.'}</p>
  return (
    <>
      <button type="button" class="text-button back-button" onClick={() => isReportOpen.set(false)}>
        <Icon name="back" /> Queue
      </button>
      <DecisionBar incident={incident} />
      <div class="report-body" ref={body} tabIndex={-1}>
        <ReportHead incident={incident} />
        <ConflictNotice incident={incident} />
        <ClaimNotice incident={incident} />
        {editing && <FactsEditor key={`${id} ${incident.version}`} incident={incident} />}
        <div class="two">
          <WrittenText incident={incident} />
          <Facts incident={incident} />
        </div>
        <TipSection key={`tip ${id}`} incident={incident} />
        <ProposalsSection key={`proposals ${id}`} incident={incident} />
        {withDuplicates && <Duplicates incident={incident} />}
        <PlaceSection incident={incident} />
        <div class="two">
          <ConfidenceSection incident={incident} />
          <SourcesSection incident={incident} />
        </div>
        <HistorySection history={history} />
      </div>
    </>
  )
}

function ReportHead({ incident }: { incident: DeskIncident }) {
  const now = useNow()
  const { status, severity, type, reported_at, desk } = incident
  return (
    <header class="report-head">
      <p class="kind">
        <SeverityDot severity={severity} />
        <span>
          {typeText(type)}, {severityText(severity).toLowerCase()}
        </span>
        <span class={`status ${status}`}>{STATUS_WORDS[status]}</span>
        <span class="quiet">
          by {ORIGIN_WORDS[desk.origin]} {ago(reported_at, now)}
        </span>
      </p>
      <h1 data-report={incident.id}>{incident.summary}</h1>
    </header>
  )
}
