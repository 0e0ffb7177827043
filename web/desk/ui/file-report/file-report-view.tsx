import { useState } from 'preact/hooks'
import type { EvidenceField, IncidentCandidate } from '../../../../src/domain/story.ts'
import { TYPE_NAMES, TYPES } from '../../../../src/domain/taxonomy.ts'
import { Field } from '../../../shared/parts/field.tsx'
import { RequestError, request } from '../../../shared/parts/request.ts'
import { useStore } from '../../../shared/store.ts'
import type { DeskIncident } from '../../api/types.ts'
import { newKey } from '../../decisions/outbox.ts'
import { filledFrom, placeFields, wordsFor } from '../../filing/candidate.ts'
import { changedByHand, EMPTY_FORM, type FilingForm, reportBody } from '../../filing/form.ts'
import { sourceFields, storyInHand } from '../../filing/story-in-hand.ts'
import { whereText } from '../../report/differences.ts'
import { hasScope } from '../../session.ts'
import { PlaceChoices } from './place-choices.tsx'
import { ReadField } from './read-field.tsx'
import { StoryInHand } from './story-in-hand.tsx'
import { StoryReader } from './story-reader.tsx'

type FieldType = 'text' | 'date' | 'time' | 'number' | 'url'

/** Files a report by hand; it waits in the queue like any other. */
export function FileReportView() {
  const story = useStore(storyInHand)
  const emptyForm = { ...EMPTY_FORM, ...sourceFields(story) }
  const [form, setForm] = useState(emptyForm)
  const [filed, setFiled] = useState<readonly string[]>([])
  const [candidate, setCandidate] = useState<IncidentCandidate | null>(null)
  const [key, setKey] = useState(newKey)
  const [result, setResult] = useState<{ text: string; isFailure: boolean } | null>(null)
  const set = (name: keyof FilingForm) => (event: Event) =>
    setForm(changedByHand(form, name, (event.currentTarget as HTMLInputElement).value))
  const choose = (next: IncidentCandidate, story: string) => {
    setCandidate(next)
    setForm(filledFrom(next, story, form))
    setResult(null)
  }
  const file = async () => {
    try {
      const body = reportBody(form)
      const incident = await request<DeskIncident>('POST', '/v1/reports', { body, idempotencyKey: key })
      setResult({ text: `Filed: ${whereText(incident)}. An editor decides on it.`, isFailure: false })
      setFiled([...filed, incident.id])
      setForm(emptyForm)
      setCandidate(null)
      setKey(newKey())
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setResult({ text: error.message, isFailure: true })
      // Another body needs another key; the same body after an outage keeps its own.
      if (!error.isPassing) setKey(newKey())
    }
  }
  const text = (name: keyof FilingForm, label: string, options: TextOptions = {}) => (
    <ReadField label={label} readFrom={options.evidence ? wordsFor(options.evidence, candidate) : null}>
      <input
        type={(options.type ?? 'text') as 'text'}
        required={options.required ?? false}
        min={0}
        maxLength={300}
        value={form[name]}
        onInput={set(name)}
      />
    </ReadField>
  )
  return (
    <main class="admin">
      <h1>New report</h1>
      {story !== null && <StoryInHand story={story} filed={filed} />}
      {hasScope('review') && <StoryReader key={story?.id} story={story} chosen={candidate} onChoose={choose} />}
      <form
        class="file-report"
        onSubmit={(event) => {
          event.preventDefault()
          void file()
        }}
      >
        <div class="fields">
          <ReadField label="What happened" readFrom={wordsFor('type', candidate)}>
            <select value={form.type} onChange={set('type')}>
              {TYPE_NAMES.map((name) => (
                <option key={name} value={name}>
                  {TYPES[name].label}
                </option>
              ))}
            </select>
          </ReadField>
          {text('date', 'Day', { type: 'date', required: true, evidence: 'occurred_at' })}
          {text('time', 'Time in Lagos, if known', { type: 'time' })}
          {text('place', 'Place', { evidence: 'place' })}
          {text('lga', 'LGA')}
          {text('state', 'State')}
          {candidate !== null && candidate.place_choices.length > 0 && (
            <PlaceChoices
              words={wordsFor('place', candidate)}
              choices={candidate.place_choices}
              onChoose={(choice) => setForm({ ...form, ...placeFields(choice) })}
            />
          )}
          {text('killed', 'Killed', { type: 'number', evidence: 'killed' })}
          {text('injured', 'Injured', { type: 'number', evidence: 'injured' })}
          {text('abducted', 'Abducted', { type: 'number', evidence: 'abducted' })}
          <Field label="What is known, in your words" wide>
            <textarea required rows={6} maxLength={20_000} value={form.text} onInput={set('text')} />
          </Field>
          {text('url', 'Address of a source', { type: 'url' })}
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

interface TextOptions {
  readonly type?: FieldType
  readonly required?: boolean
  /** Shows the words of the story that the field was read from. */
  readonly evidence?: EvidenceField
}
