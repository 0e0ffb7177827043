import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import {
  type EvidenceField,
  type IncidentCandidate,
  MAX_STORY_LENGTH,
  type PlaceChoice,
} from '../../../src/domain/story.ts'
import { TYPE_NAMES, TYPES } from '../../../src/domain/taxonomy.ts'
import { Button, Field, Select, submits, typed } from '../../shared/parts/controls.tsx'
import { RequestError, request } from '../../shared/parts/request.ts'
import { useStore } from '../../shared/store.ts'
import { type DeskIncident, readStory } from '../desk-api.ts'
import {
  candidateLabel,
  changedByHand,
  choiceLabel,
  closeStory,
  EMPTY_FORM,
  type FilingForm,
  filledFrom,
  placeFields,
  reportBody,
  sourceFields,
  storyInHand,
  type UnplacedStory,
  wordsFor,
} from '../filing.ts'
import { newKey } from '../outbox.ts'
import { hasScope } from '../person.ts'
import { showRefusal, showToast } from '../toasts.tsx'
import { view } from '../view.ts'
import { whereText } from '../words.ts'

/** Files a report by hand; it waits in the queue like any other. */
export function FileReportView() {
  const story = useStore(storyInHand)
  const emptyForm = { ...EMPTY_FORM, ...sourceFields(story) }
  const [form, setForm] = useState(emptyForm)
  const [filed, setFiled] = useState<readonly string[]>([])
  const [candidate, setCandidate] = useState<IncidentCandidate | null>(null)
  const [key, setKey] = useState(newKey)
  const [result, setResult] = useState<{ text: string; isFailure: boolean } | null>(null)
  const set = (name: keyof FilingForm) => (value: string) => setForm(changedByHand(form, name, value))
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
        {...typed(form[name], set(name))}
      />
    </ReadField>
  )
  return (
    <main class="admin">
      <h1>New report</h1>
      {story !== null && <StoryInHand story={story} filed={filed} />}
      {hasScope('review') && <StoryReader key={story?.id} story={story} chosen={candidate} onChoose={choose} />}
      <form class="file-report" onSubmit={submits(file)}>
        <div class="fields">
          <ReadField label="What happened" readFrom={wordsFor('type', candidate)}>
            <Select
              value={form.type}
              options={TYPE_NAMES}
              labelOf={(name) => TYPES[name].label}
              onChoose={set('type')}
            />
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
            <textarea required rows={6} maxLength={20_000} {...typed(form.text, set('text'))} />
          </Field>
          {text('url', 'Address of a source', { type: 'url' })}
          {text('publisher', 'Its publisher')}
        </div>
        {result !== null && (
          <p class={result.isFailure ? 'form-message' : 'form-done'} role="status">
            {result.text}
          </p>
        )}
        <Button class="button primary" type="submit" label="File the report" />
      </form>
    </main>
  )
}

interface TextOptions {
  readonly type?: 'date' | 'time' | 'number' | 'url'
  readonly required?: boolean
  /** Shows the words of the story that the field was read from. */
  readonly evidence?: EvidenceField
}

/** The story that the form is filled in from: on the list until the editor is done with it. */
function StoryInHand({ story, filed }: { story: UnplacedStory; filed: readonly string[] }) {
  const [isSending, setSending] = useState(false)
  const leave = () => {
    storyInHand.set(null)
    view.set('stories')
  }
  const close = async () => {
    setSending(true)
    await showRefusal(
      closeStory(story, filed).then(() => {
        showToast('done', 'The story is closed.')
        leave()
      }),
    )
    setSending(false)
  }
  return (
    <section class="story-in-hand" aria-label="The story">
      <p>
        From {story.publisher}: <strong>{story.title}</strong>
      </p>
      <div class="row-of-buttons">
        {filed.length > 0 && (
          <Button class="button primary" label="Close the story" disabled={isSending} onClick={() => void close()} />
        )}
        <Button label="Back to the stories" onClick={leave} />
      </div>
    </section>
  )
}

interface StoryReaderProperties {
  /** Read at once; without one, a story is pasted. */
  readonly story: UnplacedStory | null
  readonly chosen: IncidentCandidate | null
  readonly onChoose: (candidate: IncidentCandidate, story: string) => void
}

/** A story that is pasted or came from a feed, and the incidents that the service finds in it. */
function StoryReader({ story: given, chosen, onChoose }: StoryReaderProperties) {
  const [story, setStory] = useState(given?.text ?? '')
  const [day, setDay] = useState(() => (given?.published_at ?? new Date().toISOString()).slice(0, 10))
  const [found, setFound] = useState<readonly IncidentCandidate[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const read = async () => {
    setProblem(null)
    try {
      const { candidates } = await readStory(story, day === '' ? null : day)
      setFound(candidates)
      if (candidates[0]) onChoose(candidates[0], story)
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setFound(null)
      setProblem(error.message)
    }
  }
  useEffect(() => {
    if (given !== null) void read()
  }, [])
  return (
    <details class="story-reader" open={given !== null}>
      <summary>Fill in from a story</summary>
      <form onSubmit={submits(read)}>
        <Field label="The story, as it was published" wide>
          <textarea required rows={6} maxLength={MAX_STORY_LENGTH} {...typed(story, setStory)} />
        </Field>
        <div class="row-of-buttons">
          <Field label="Published on">
            <input type="date" {...typed(day, setDay)} />
          </Field>
          <Button type="submit" label="Read the story" />
        </div>
      </form>
      <div role="status">
        {problem !== null && <p class="form-message">{problem}</p>}
        {found?.length === 0 && <p>The story reports no incident that the service can read.</p>}
        {found?.length === 1 && <p>The form below is filled in. Check each field against the words beneath it.</p>}
        {found !== null && found.length > 1 && (
          <>
            <p>The story reports {found.length} incidents. File each by itself; the form below has the marked one.</p>
            <div class="row-of-buttons">
              {found.map((candidate, index) => (
                <Button
                  class="button small"
                  label={candidateLabel(candidate)}
                  key={`${index} ${candidate.type}`}
                  aria-pressed={candidate === chosen}
                  onClick={() => onChoose(candidate, story)}
                />
              ))}
            </div>
          </>
        )}
      </div>
    </details>
  )
}

/** The places that a story may mean; the editor says which. */
function PlaceChoices({
  words,
  choices,
  onChoose,
}: {
  words: string | null
  choices: readonly PlaceChoice[]
  onChoose: (choice: PlaceChoice) => void
}) {
  return (
    <fieldset class="place-choices">
      <legend>{words === null ? 'Which place?' : `Which place is “${words}”?`}</legend>
      {choices.map((choice, index) => (
        <label key={`${index} ${choice.name}`}>
          <input type="radio" name="place-choice" onChange={() => onChoose(choice)} />
          {choiceLabel(choice)}
        </label>
      ))}
    </fieldset>
  )
}

/** A field, and beneath it the words of the story that it was read from. */
function ReadField({
  label,
  readFrom,
  children,
}: {
  label: string
  readFrom: string | null
  children: ComponentChildren
}) {
  return (
    <div class="read-field">
      <Field label={label}>{children}</Field>
      {readFrom !== null && <small class="read-from">“{readFrom}”</small>}
    </div>
  )
}
