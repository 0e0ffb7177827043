import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  Button,
  type DialogProperties,
  Field,
  Dialog as SharedDialog,
  submits,
  typed,
} from '../../shared/parts/controls.tsx'
import { useStore } from '../../shared/store.ts'
import { percentText } from '../../shared/text.ts'
import { isClaimedByAnother } from '../actions.ts'
import { decide, decideInBulk, decideMerge, decideRedaction, type Side } from '../decisions.ts'
import type { DeskIncident } from '../desk-api.ts'
import { selection } from '../queue.ts'
import { currentId, mergeCandidates, mergeTarget, readDetails, useDetails } from '../report.ts'
import { SHORTCUTS } from '../shortcuts.ts'
import { closeDialog, type DialogName, dialog } from '../view.ts'
import { type ComparedField, differencesOf, STATUS_WORDS } from '../words.ts'

const REJECTION_REASONS = [
  'Not a security incident',
  'Cannot be verified',
  'Old news, already covered',
  'Not in Nigeria',
  'Rumour or satire',
]
const RETRACTION_REASONS = [
  'It did not happen',
  'The source withdrew it',
  'It puts people at risk',
  'Wrongly confirmed',
]

/** Dialogs about the current report. */
const ABOUT_REPORT: Partial<Record<DialogName, (incident: DeskIncident) => JSX.Element>> = {
  reject: (incident) => (
    <ReasonDialog
      title="Reject this report"
      verb="Reject"
      reasons={REJECTION_REASONS}
      onChoose={(reason) => decide('reject', incident, reason)}
    />
  ),
  retract: (incident) => (
    <ReasonDialog
      title="Retract this incident"
      verb="Retract"
      reasons={RETRACTION_REASONS}
      onChoose={(reason) => decide('retract', incident, reason)}
    />
  ),
  note: (incident) => <NoteDialog incident={incident} />,
  merge: (incident) => <MergeDialog incident={incident} />,
  redact: (incident) => <RedactDialog incident={incident} />,
}

export function Dialogs() {
  const name = useStore(dialog)
  const id = useStore(currentId)
  if (name === null) return null
  if (name === 'help') return <HelpDialog />
  if (name === 'bulk-reject') return <BulkRejection />
  return id === null ? null : <AboutReport key={`${name} ${id}`} name={name} id={id} />
}

function AboutReport({ name, id }: { name: DialogName; id: string }) {
  const { incident } = useDetails(id)
  return incident === null ? null : (ABOUT_REPORT[name]?.(incident) ?? null)
}

function BulkRejection() {
  const ids = [...useStore(selection)]
  return (
    <ReasonDialog
      title={`Reject ${ids.length} ${ids.length === 1 ? 'report' : 'reports'}`}
      verb="Reject"
      reasons={REJECTION_REASONS}
      onChoose={(reason) => decideInBulk('reject', ids, reason)}
    />
  )
}

interface ReasonDialogProperties {
  readonly title: string
  readonly verb: string
  /** Each is chosen with its number. */
  readonly reasons: readonly string[]
  readonly onChoose: (reason: string | null) => void
}

/** Asks for a reason: a number takes a usual one, or it is written. */
function ReasonDialog({ title, verb, reasons, onChoose }: ReasonDialogProperties) {
  const [text, setText] = useState('')
  const choose = (reason: string) => {
    closeDialog()
    onChoose(reason.trim() || null)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return
    const reason = reasons[Number(event.key) - 1]
    if (reason === undefined) return
    event.preventDefault()
    choose(reason)
  }
  return (
    <Dialog title={title} onKeyDown={keys}>
      <ol class="reason-list">
        {reasons.map((reason, index) => (
          <li key={reason}>
            <button
              type="button"
              class="choice"
              {...(index === 0 ? { 'data-first': '' } : {})}
              onClick={() => choose(reason)}
            >
              <kbd>{index + 1}</kbd> {reason}
            </button>
          </li>
        ))}
      </ol>
      <form onSubmit={submits(() => choose(text))}>
        <Field label="Another reason (kept in the history, not published)" wide>
          <input maxLength={1000} {...typed(text, setText)} />
        </Field>
        <div class="row-of-buttons">
          <Button class="button primary" type="submit" label={verb} />
          <CancelButton />
        </div>
      </form>
    </Dialog>
  )
}

function NoteDialog({ incident }: { incident: DeskIncident }) {
  const [text, setText] = useState('')
  const save = () => {
    closeDialog()
    if (text.trim() !== '') decide('note', incident, text.trim())
  }
  return (
    <Dialog title="Write a note">
      <form onSubmit={submits(save)}>
        <Field label="For colleagues; kept in the history, never published" wide>
          <textarea
            data-first
            rows={4}
            maxLength={1000}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              save()
            }}
            {...typed(text, setText)}
          />
        </Field>
        <div class="row-of-buttons">
          <Button class="button primary" type="submit" label="Save the note" shortcut="Ctrl Enter" />
          <CancelButton />
        </div>
      </form>
    </Dialog>
  )
}

const FIELDS = {
  summary: 'Summary',
  text: 'Text of the report',
  place: 'Name of the place',
  sources: 'Sources',
  notes: 'Notes',
  contact: 'Contact of whoever sent a tip',
} as const
type RedactableField = keyof typeof FIELDS

/** Takes words or whole fields out of every copy. It asks for a reason: this cannot be undone. */
function RedactDialog({ incident }: { incident: DeskIncident }) {
  const [words, setWords] = useState('')
  const [fields, setFields] = useState<ReadonlySet<RedactableField>>(new Set())
  const [reason, setReason] = useState('')
  const wanted = words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const isNothing = wanted.length === 0 && fields.size === 0
  const toggle = (field: RedactableField) => {
    const next = new Set(fields)
    if (!next.delete(field)) next.add(field)
    setFields(next)
  }
  const redact = () => {
    if (isNothing || reason.trim() === '') return
    closeDialog()
    decideRedaction(incident, {
      ...(wanted.length > 0 ? { words: wanted } : {}),
      ...(fields.size > 0 ? { fields: [...fields] } : {}),
      reason: reason.trim(),
    })
  }
  return (
    <Dialog title="Redact">
      <form onSubmit={submits(redact)}>
        <p>
          What you name is taken out of every version, the history, deliveries and copies.{' '}
          <strong>It cannot be undone.</strong>
        </p>
        <Field label="Words or names, with commas between them" wide>
          <input data-first maxLength={1000} {...typed(words, setWords)} />
        </Field>
        <fieldset class="checks">
          <legend class="quiet">Whole fields</legend>
          {(Object.keys(FIELDS) as RedactableField[]).map((field) => (
            <label key={field}>
              <input type="checkbox" checked={fields.has(field)} onChange={() => toggle(field)} /> {FIELDS[field]}
            </label>
          ))}
        </fieldset>
        <Field label="Reason (without what must vanish)" wide>
          <input required maxLength={1000} {...typed(reason, setReason)} />
        </Field>
        <div class="row-of-buttons">
          <Button class="button danger" type="submit" label="Redact" disabled={isNothing} />
          <CancelButton />
        </div>
      </form>
    </Dialog>
  )
}

export function HelpDialog() {
  return (
    <Dialog title="Keys">
      <dl class="keys">
        {Object.values(SHORTCUTS).map(({ key, text }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">Keys work everywhere but in fields, and never together with Ctrl, Alt or Cmd.</p>
    </Dialog>
  )
}

/** The dialog that is open at the desk: there is one at a time. */
export function Dialog(properties: Omit<DialogProperties, 'onClose'>) {
  return <SharedDialog {...properties} onClose={closeDialog} />
}

function CancelButton() {
  return <Button label="Cancel" shortcut="Esc" onClick={closeDialog} />
}

/** Merges two incidents: one remains, with the values that are chosen here. */
export function MergeDialog({ incident }: { incident: DeskIncident }) {
  const candidates = mergeCandidates(incident)
  const [chosen, setChosen] = useState(() => mergeTarget.get() ?? candidates[0]?.id ?? null)
  useEffect(() => mergeTarget.set(null), [incident.id])
  return (
    <Dialog title="Merge two reports of one incident" wide>
      {candidates.length > 1 && (
        <fieldset class="candidates">
          <legend>Merge with</legend>
          {candidates.map(({ id, summary, score, status }) => (
            <label key={id} class="candidate-choice">
              <input type="radio" name="candidate" checked={id === chosen} onChange={() => setChosen(id)} />
              <span>
                {summary}{' '}
                <span class="quiet">
                  {STATUS_WORDS[status]}, {percentText(score)} alike
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {chosen !== null && <MergeWith key={chosen} incident={incident} id={chosen} />}
    </Dialog>
  )
}

function MergeWith({ incident, id }: { incident: DeskIncident; id: string }) {
  const { incident: other, failure } = useDetails(id)
  useEffect(() => {
    if (other === null) void readDetails(id)
  }, [id])
  if (other === null) return <p class="quiet">{failure?.message ?? 'The other report is being loaded.'}</p>
  return <MergeForm incident={incident} other={other} />
}

function MergeForm({ incident, other }: { incident: DeskIncident; other: DeskIncident }) {
  // A confirmed incident is public: a report goes into it, never the other way round.
  const canSwap = incident.status === other.status
  const [isSwapped, setSwapped] = useState(incident.status === 'confirmed' && other.status !== 'confirmed')
  const [take, setTake] = useState<Partial<Record<ComparedField, Side>>>({})
  const [note, setNote] = useState('')
  // The form may come later than the dialog: Enter must merge all the same.
  const first = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => first.current?.focus(), [])
  const [from, into] = isSwapped ? [other, incident] : [incident, other]
  const differences = differencesOf(from, into)
  const merge = () => {
    if (isClaimedByAnother(from) || isClaimedByAnother(into)) return
    closeDialog()
    decideMerge(from, into, take, note.trim() || null)
  }
  return (
    <form onSubmit={submits(merge)}>
      <table class="comparison choice-table">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">Field</span>
            </th>
            <th scope="col">
              {isSwapped ? 'The other one' : 'This report'}
              <span class="quiet block">is merged away</span>
            </th>
            <th scope="col">
              {isSwapped ? 'This report' : 'The other one'}
              <span class="quiet block">remains ({STATUS_WORDS[into.status].toLowerCase()})</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ field, label, one, other: remaining }) => (
            <tr key={field}>
              <th scope="row">{label}</th>
              {(['this', 'other'] as const).map((side) => (
                <td key={side}>
                  <label class="value-choice">
                    <input
                      type="radio"
                      name={`take-${field}`}
                      checked={(take[field] ?? 'other') === side}
                      onChange={() => setTake({ ...take, [field]: side })}
                    />
                    <span>{side === 'this' ? one : remaining}</span>
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length === 0 && <p class="quiet">They say the same. Only the sources are joined.</p>}
      <p class="quiet">
        The sources of both are joined. What is not taken stays in the history, and the merge can be undone.
      </p>
      <Field label="Why (kept in the history)" wide>
        <input maxLength={1000} {...typed(note, setNote)} />
      </Field>
      <div class="row-of-buttons">
        <button type="submit" class="button primary" data-first ref={first}>
          Merge <kbd>Enter</kbd>
        </button>
        {canSwap && <Button label="Keep the other one instead" onClick={() => setSwapped(!isSwapped)} />}
        <CancelButton />
      </div>
    </form>
  )
}
