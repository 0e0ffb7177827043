import { useEffect, useRef } from 'preact/hooks'
import { CLAIM_MS } from '../../../src/domain/moderation.ts'
import { Icon, SeverityDot } from '../../shared/components.tsx'
import { Button } from '../../shared/parts/controls.tsx'
import { useStore } from '../../shared/store.ts'
import { ago, severityText, typeText } from '../../shared/text.ts'
import { runShortcut } from '../actions.ts'
import { claimReport, foreignClaim } from '../claims.ts'
import { conflicts, decide, dismissConflict } from '../decisions.ts'
import type { DeskIncident } from '../desk-api.ts'
import { allows, MOVES } from '../outbox.ts'
import { useNow } from '../person.ts'
import { currentId, useDetails } from '../report.ts'
import { SHORTCUTS, type ShortcutName } from '../shortcuts.ts'
import { dialog, isEditing, isReportOpen } from '../view.ts'
import { differencesOf, ORIGIN_WORDS, STATUS_WORDS, STEP_WORDS } from '../words.ts'
import { Duplicates } from './duplicates.tsx'
import { FactsEditor } from './facts-editor.tsx'
import { PlaceSection } from './place-section.tsx'
import { ProposalsSection } from './proposals.tsx'
import {
  ConfidenceSection,
  Facts,
  HistorySection,
  SourcesSection,
  TipSection,
  WrittenText,
} from './report-sections.tsx'

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

/** The decisions that the report's status allows, each with its key. */
function DecisionBar({ incident }: { incident: DeskIncident }) {
  const { status } = incident
  const isEditable = status === 'reported' || status === 'confirmed'
  return (
    <div class="decisions" role="toolbar" aria-label="Decide on this report">
      {allows('confirm', status) && <Key name="confirm" label="Confirm" primary />}
      {allows('reject', status) && <Key name="reject" label="Reject" />}
      {allows('retract', status) && <Button label="Retract" shortcut="r" onClick={() => dialog.set('retract')} />}
      {allows('reopen', status) && (
        <Button class="button primary" label="Reopen" onClick={() => decide('reopen', incident)} />
      )}
      {allows('restore', status) && (
        <Button class="button primary" label="Restore" onClick={() => decide('restore', incident)} />
      )}
      {allows('unmerge', status) && (
        <Button class="button primary" label="Unmerge" onClick={() => decide('unmerge', incident)} />
      )}
      {allows('merge', status) && <Key name="merge" label="Merge" />}
      <span class="divider" />
      {isEditable && <Key name="edit" label="Edit" />}
      <Key name="note" label="Note" />
      <Key name="redact" label="Redact" />
      <span class="grow" />
      <Key name="undo" label="Undo" />
    </div>
  )
}

function Key({ name, label, primary = false }: { name: ShortcutName; label: string; primary?: boolean }) {
  return (
    <Button
      class={`button ${primary ? 'primary' : ''}`}
      label={label}
      shortcut={SHORTCUTS[name].key}
      title={SHORTCUTS[name].text}
      onClick={() => runShortcut(name)}
    />
  )
}

/** Shows both versions after a decision that a colleague has overtaken. */
function ConflictNotice({ incident }: { incident: DeskIncident }) {
  const conflict = useStore(conflicts).get(incident.id)
  const { history } = useDetails(incident.id)
  if (conflict === undefined) return null
  const { move, seen, message } = conflict
  const last = history?.at(-1)
  const rows = [
    { label: 'Status', one: STATUS_WORDS[seen.status], other: STATUS_WORDS[incident.status] },
    { label: 'Version', one: String(seen.version), other: String(incident.version) },
    ...differencesOf(seen, incident),
  ].filter(({ one, other }) => one !== other)
  const isPlain = move !== 'merge' && move !== 'undo' && move !== 'redact'
  return (
    <div class="inline-notice conflict" role="alert">
      <p>
        <strong>Your decision was not taken.</strong> {message}
        {last && ` ${last.by.name} ${STEP_WORDS[last.step] ?? last.step}.`}
      </p>
      {rows.length > 0 && (
        <table class="comparison">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">You saw</th>
              <th scope="col">It is</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, one, other }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{one}</td>
                <td>{other}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="row-of-buttons">
        {isPlain && allows(move, incident.status) && (
          <Button
            class="button small"
            label={`${MOVES[move].verb} this version`}
            onClick={() => decide(move, incident)}
          />
        )}
        <Button class="button small" label="Leave it" onClick={() => dismissConflict(incident.id)} />
      </div>
    </div>
  )
}

/** Says that a colleague works on the report; a claim that has lapsed says nothing. */
function ClaimNotice({ incident }: { incident: DeskIncident }) {
  const now = useNow()
  const claim = foreignClaim(incident)
  if (claim === null || incident.status !== 'reported') return null
  const since = new Date(Date.parse(claim.until) - CLAIM_MS).toISOString()
  return (
    <div class="inline-notice claim">
      <p>
        <strong>{claim.by.name}</strong> is working on this report (claimed {ago(since, now)}). It lapses by itself.
      </p>
      <Button class="button small" label="Take it over" onClick={() => void claimReport(incident.id, true)} />
    </div>
  )
}
