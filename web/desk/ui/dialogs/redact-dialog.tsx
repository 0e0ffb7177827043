import { useState } from 'preact/hooks'
import { Field } from '../../../shared/parts/field.tsx'
import type { DeskIncident } from '../../api/types.ts'
import { decideRedaction } from '../../decisions/decide.ts'
import { closeDialog } from '../../panels.ts'
import { CancelButton } from './cancel-button.tsx'
import { Dialog } from './dialog.tsx'

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
export function RedactDialog({ incident }: { incident: DeskIncident }) {
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
      <form
        onSubmit={(event) => {
          event.preventDefault()
          redact()
        }}
      >
        <p>
          What you name is taken out of every version, the history, deliveries and copies.{' '}
          <strong>It cannot be undone.</strong>
        </p>
        <Field label="Words or names, with commas between them" wide>
          <input data-first maxLength={1000} value={words} onInput={(event) => setWords(event.currentTarget.value)} />
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
          <input required maxLength={1000} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </Field>
        <div class="row-of-buttons">
          <button type="submit" class="button danger" disabled={isNothing}>
            Redact
          </button>
          <CancelButton />
        </div>
      </form>
    </Dialog>
  )
}
