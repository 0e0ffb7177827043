import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { TimePrecision } from '../../../src/domain/incident.ts'
import { SEVERITIES, SEVERITY_DESCRIPTIONS, TYPE_NAMES, TYPES } from '../../../src/domain/taxonomy.ts'
import { Button, Field, Select, submits, typed } from '../../shared/parts/controls.tsx'
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
  const element = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => element.current?.querySelector('select')?.focus(), [])
  const set = (name: keyof FactsForm) => (value: string) => setForm({ ...form, [name]: value })
  const field = (name: keyof FactsForm) => typed(form[name], set(name))
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
    <form ref={element} class="editor" aria-label="Edit the facts" onKeyDown={keys} onSubmit={submits(save)}>
      <div class="fields">
        <Field label="Type">
          <Select value={form.type} options={TYPE_NAMES} labelOf={(name) => TYPES[name].label} onChoose={set('type')} />
        </Field>
        <Field label="Severity">
          <Select
            value={form.severity}
            none="From type and casualties"
            options={SEVERITIES}
            labelOf={(severity) => SEVERITY_DESCRIPTIONS[severity].label}
            onChoose={set('severity')}
          />
        </Field>
        <Field label="Day">
          <input type="date" required {...field('date')} />
        </Field>
        <Field label="Time in Lagos">
          <input type="time" {...field('time')} />
        </Field>
        <Field label="Known">
          <Select value={form.timePrecision} options={PRECISION_WORDS} onChoose={set('timePrecision')} />
        </Field>
        <Field label="Place">
          <input maxLength={300} {...field('place')} />
        </Field>
        <Field label="LGA">
          <input maxLength={300} {...field('lga')} />
        </Field>
        <Field label="State">
          <input maxLength={300} {...field('state')} />
        </Field>
        {(['killed', 'injured', 'abducted'] as const).map((name) => (
          <Field key={name} label={`${name.charAt(0).toUpperCase()}${name.slice(1)}`}>
            <input type="number" min={0} max={100_000} placeholder="not known" {...field(name)} />
          </Field>
        ))}
        <Field label="Confidence in %, by judgement">
          <input type="number" min={0} max={100} placeholder="as computed" {...field('confidence')} />
        </Field>
        <Field label="Summary" wide>
          <textarea rows={2} maxLength={400} {...field('summary')} />
        </Field>
        <Field label="Why (kept in the history)" wide>
          <input maxLength={1000} {...field('note')} />
        </Field>
      </div>
      {message !== '' && (
        <p class="form-message" role="alert">
          {message}
        </p>
      )}
      <div class="row-of-buttons">
        <Button
          class="button primary"
          type="submit"
          label={isSaving ? 'Saving' : 'Save'}
          shortcut="Ctrl Enter"
          disabled={isSaving}
        />
        <Button label="Cancel" shortcut="Esc" onClick={close} />
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
