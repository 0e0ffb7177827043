import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { TIME_PRECISIONS, type TimePrecision } from '../../../src/domain/incident.ts'
import { SEVERITIES, SEVERITY_DESCRIPTIONS, TYPE_NAMES, TYPES } from '../../../src/domain/taxonomy.ts'
import { Field } from '../../shared/parts/controls.tsx'
import { RequestError } from '../../shared/parts/request.ts'
import { saveCorrection } from '../decisions.ts'
import type { DeskIncident } from '../desk-api.ts'
import { correctionOf, type FactsForm, formOf } from '../facts-form.ts'
import { isEditing } from '../view.ts'

const PRECISION_WORDS: Readonly<Record<TimePrecision, string>> = {
  exact: 'to the minute',
  hour: 'to the hour',
  day: 'to the day',
  week: 'to the week',
  month: 'to the month',
  year: 'to the year',
}

/** The facts as a form; only what was changed is sent. */
export function FactsEditor({ incident }: { incident: DeskIncident }) {
  const [before] = useState(() => formOf(incident))
  const [form, setForm] = useState(before)
  const { save: saveChanges, message, isSaving } = useSaving(incident, close)
  const first = useRef<HTMLSelectElement>(null)
  useLayoutEffect(() => first.current?.focus(), [])
  const set =
    <Name extends keyof FactsForm>(name: Name) =>
    (event: Event) =>
      setForm({ ...form, [name]: (event.currentTarget as HTMLInputElement).value })
  const save = () => {
    const changes = correctionOf(before, form)
    if (changes === null) close()
    else void saveChanges(changes)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
    else return
    event.preventDefault()
  }
  return (
    <form
      class="editor"
      aria-label="Edit the facts"
      onKeyDown={keys}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div class="fields">
        <Field label="Type">
          <select ref={first} value={form.type} onChange={set('type')}>
            {TYPE_NAMES.map((name) => (
              <option key={name} value={name}>
                {TYPES[name].label}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Severity">
          <select value={form.severity} onChange={set('severity')}>
            <option value="">From type and casualties</option>
            {SEVERITIES.map((severity) => (
              <option key={severity} value={severity}>
                {SEVERITY_DESCRIPTIONS[severity].label}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Day">
          <input type="date" required value={form.date} onInput={set('date')} />
        </Field>
        <Field label="Time in Lagos">
          <input type="time" value={form.time} onInput={set('time')} />
        </Field>
        <Field label="Known">
          <select value={form.timePrecision} onChange={set('timePrecision')}>
            {TIME_PRECISIONS.map((precision) => (
              <option key={precision} value={precision}>
                {PRECISION_WORDS[precision]}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Place">
          <input value={form.place} maxLength={300} onInput={set('place')} />
        </Field>
        <Field label="LGA">
          <input value={form.lga} maxLength={300} onInput={set('lga')} />
        </Field>
        <Field label="State">
          <input value={form.state} maxLength={300} onInput={set('state')} />
        </Field>
        {(['killed', 'injured', 'abducted'] as const).map((name) => (
          <Field key={name} label={`${name.charAt(0).toUpperCase()}${name.slice(1)}`}>
            <input type="number" min={0} max={100_000} placeholder="not known" value={form[name]} onInput={set(name)} />
          </Field>
        ))}
        <Field label="Confidence in %, by judgement">
          <input
            type="number"
            min={0}
            max={100}
            placeholder="as computed"
            value={form.confidence}
            onInput={set('confidence')}
          />
        </Field>
        <Field label="Summary" wide>
          <textarea rows={2} maxLength={400} value={form.summary} onInput={set('summary')} />
        </Field>
        <Field label="Why (kept in the history)" wide>
          <input maxLength={1000} value={form.note} onInput={set('note')} />
        </Field>
      </div>
      {message !== '' && (
        <p class="form-message" role="alert">
          {message}
        </p>
      )}
      <div class="row-of-buttons">
        <button type="submit" class="button primary" disabled={isSaving}>
          {isSaving ? 'Saving' : 'Save'} <kbd>Ctrl Enter</kbd>
        </button>
        <button type="button" class="button" onClick={close}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  )
}

const close = () => isEditing.set(false)

/** Saves corrections of an incident until it is no longer shown; a failure is in `message`. */
export function useSaving(incident: DeskIncident, onSaved: () => void) {
  const [message, setMessage] = useState('')
  const [isSaving, setSaving] = useState(false)
  const stopping = useRef(new AbortController())
  useEffect(() => () => stopping.current.abort(), [])
  const save = async (changes: object) => {
    setSaving(true)
    setMessage('')
    try {
      await saveCorrection(incident, changes, setMessage, stopping.current.signal)
      onSaved()
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setMessage(error.message)
    } finally {
      setSaving(false)
    }
  }
  return { save, message, isSaving }
}
