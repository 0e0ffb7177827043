import { useState } from 'preact/hooks'
import { type IncidentType, TYPE_NAMES, TYPES } from '../../../src/domain/taxonomy.ts'
import { RequestError, request } from '../api/request.ts'
import type { DeskIncident } from '../api/types.ts'
import { newKey } from '../decisions/outbox.ts'
import { whereText } from '../report/differences.ts'
import { Field } from './parts/field.tsx'

const EMPTY = {
  type: 'kidnapping' as IncidentType,
  date: '',
  time: '',
  place: '',
  lga: '',
  state: '',
  text: '',
  url: '',
  publisher: '',
  killed: '',
  injured: '',
  abducted: '',
}
type Form = typeof EMPTY
type FieldType = 'text' | 'date' | 'time' | 'number' | 'url'

/** Files a report by hand; it waits in the queue like any other. */
export function FileReportView() {
  const [form, setForm] = useState(EMPTY)
  const [key, setKey] = useState(newKey)
  const [result, setResult] = useState<{ text: string; isFailure: boolean } | null>(null)
  const set = (name: keyof Form) => (event: Event) =>
    setForm({ ...form, [name]: (event.currentTarget as HTMLInputElement).value })
  const file = async () => {
    try {
      const incident = await request<DeskIncident>('POST', '/v1/reports', { body: bodyOf(form), idempotencyKey: key })
      setResult({ text: `Filed: ${whereText(incident)}. An editor decides on it.`, isFailure: false })
      setForm(EMPTY)
      setKey(newKey())
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setResult({ text: error.message, isFailure: true })
      // Another body needs another key; the same body after an outage keeps its own.
      if (!error.isPassing) setKey(newKey())
    }
  }
  const text = (name: keyof Form, label: string, type: FieldType = 'text', required = false) => (
    <Field label={label}>
      <input type={type as 'text'} required={required} min={0} maxLength={300} value={form[name]} onInput={set(name)} />
    </Field>
  )
  return (
    <main class="admin">
      <h1>New report</h1>
      <form
        class="file-report"
        onSubmit={(event) => {
          event.preventDefault()
          void file()
        }}
      >
        <div class="fields">
          <Field label="What happened">
            <select value={form.type} onChange={set('type')}>
              {TYPE_NAMES.map((name) => (
                <option key={name} value={name}>
                  {TYPES[name].label}
                </option>
              ))}
            </select>
          </Field>
          {text('date', 'Day', 'date', true)}
          {text('time', 'Time in Lagos, if known', 'time')}
          {text('place', 'Place')}
          {text('lga', 'LGA')}
          {text('state', 'State')}
          {text('killed', 'Killed', 'number')}
          {text('injured', 'Injured', 'number')}
          {text('abducted', 'Abducted', 'number')}
          <Field label="What is known, in your words" wide>
            <textarea required rows={6} maxLength={20_000} value={form.text} onInput={set('text')} />
          </Field>
          {text('url', 'Address of a source', 'url')}
          {text('publisher', 'Its publisher')}
        </div>
        {result !== null && (
          <p class={result.isFailure ? 'form-message' : 'form-done'} role="status">
            {result.text}
          </p>
        )}
        <button type="submit" class="button primary">
          File the report
        </button>
      </form>
    </main>
  )
}

function bodyOf(form: Form): object {
  const { type, date, time, text } = form
  const given = Object.fromEntries(
    (['place', 'lga', 'state'] as const).flatMap((name) => (form[name].trim() ? [[name, form[name].trim()]] : [])),
  )
  const figures = (['killed', 'injured', 'abducted'] as const).flatMap((name) =>
    form[name] === '' ? [] : [[name, Number(form[name])]],
  )
  const source = {
    ...(form.url.trim() ? { url: form.url.trim() } : {}),
    ...(form.publisher.trim() ? { publisher: form.publisher.trim() } : {}),
  }
  return {
    type,
    occurred_at: time === '' ? date : `${date}T${time}:00+01:00`,
    ...given,
    text,
    ...(figures.length === 0 ? {} : { casualties: Object.fromEntries(figures) }),
    ...(Object.keys(source).length === 0 ? {} : { sources: [source] }),
  }
}
