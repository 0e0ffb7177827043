import { useState } from 'preact/hooks'
import type { DeskIncident } from '../../api/types.ts'
import { decideRedaction } from '../../decisions/decide.ts'
import { closeDialog } from '../../panels.ts'
import { Field } from '../parts/field.tsx'
import { Dialog } from './dialog.tsx'

const FIELDS = {
  summary: 'Summary',
  text: 'Text of the report',
  place: 'Name of the place',
  sources: 'Sources',
  notes: 'Notes',
} as const
type RedactableField = keyof typeof FIELDS

/** Takes content out of every copy. It asks twice: this cannot be undone. */
export function RedactDialog({ incident }: { incident: DeskIncident }) {
  const [fields, setFields] = useState<ReadonlySet<RedactableField>>(new Set(['text']))
  const [reason, setReason] = useState('')
  const toggle = (field: RedactableField) => {
    const next = new Set(fields)
    if (!next.delete(field)) next.add(field)
    setFields(next)
  }
  const redact = () => {
    if (fields.size === 0 || reason.trim() === '') return
    closeDialog()
    decideRedaction(incident, { fields: [...fields], reason: reason.trim() })
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
          What you choose is taken out of every version, the history, deliveries and copies.{' '}
          <strong>It cannot be undone.</strong>
        </p>
        <fieldset class="checks">
          <legend class="hidden">What to take out</legend>
          {(Object.keys(FIELDS) as RedactableField[]).map((field, index) => (
            <label key={field}>
              <input
                type="checkbox"
                checked={fields.has(field)}
                onChange={() => toggle(field)}
                {...(index === 0 ? { 'data-first': '' } : {})}
              />{' '}
              {FIELDS[field]}
            </label>
          ))}
        </fieldset>
        <Field label="Reason (do not repeat what must vanish)" wide>
          <input required maxLength={1000} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </Field>
        <div class="row-of-buttons">
          <button type="submit" class="button danger" disabled={fields.size === 0}>
            Redact
          </button>
          <button type="button" class="button" onClick={closeDialog}>
            Cancel <kbd>Esc</kbd>
          </button>
        </div>
      </form>
    </Dialog>
  )
}
