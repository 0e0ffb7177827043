import { useState } from 'preact/hooks'
import type { WatchEvent } from '../../../src/domain/watch.ts'
import { request } from '../../shared/parts/request.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { Link } from '../parts/link.tsx'
import { useAction } from '../parts/use-action.ts'
import { EVENT_WORDS, type WatchEntry } from './types.ts'

interface TestOutcome {
  readonly id: string
  readonly delivered: boolean
  readonly message: string
  readonly status_code: number | null
  readonly duration_ms: number
  readonly answer: string | null
}

/** Sends a signed test message and shows what the endpoint said. */
export function TestMessage({ watch, onSent }: { watch: WatchEntry; onSent: () => void }) {
  const [event, setEvent] = useState<WatchEvent>(watch.events[0]!)
  const [outcome, setOutcome] = useState<TestOutcome | null>(null)
  const { isBusy, failure, run } = useAction()
  const send = () =>
    run(async () => {
      setOutcome(null)
      setOutcome(await request<TestOutcome>('POST', `/v1/watches/${watch.id}/test`, { body: { event } }))
      onSent()
    })
  return (
    <section class="panel" aria-labelledby="test-heading">
      <h2 id="test-heading">Test message</h2>
      <p class="quiet">
        {watch.channel.kind === 'webhook'
          ? 'A made-up incident, signed like a real message, with “test”: true.'
          : 'An incident as its receivers will read it, marked as a test.'}
      </p>
      <div class="row-of-buttons">
        <label class="inline-field">
          <span class="hidden">Event of the test message</span>
          <select value={event} onChange={({ currentTarget }) => setEvent(currentTarget.value as WatchEvent)}>
            {(Object.keys(EVENT_WORDS) as WatchEvent[]).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="button primary" disabled={isBusy} onClick={send}>
          {isBusy ? 'Sending' : 'Send a test'}
        </button>
      </div>
      <FailureNote failure={failure} />
      <div role="status">
        {outcome !== null && (
          <div class="answer">
            <p>
              <strong class={outcome.delivered ? 'good' : 'bad'}>
                {outcome.status_code === null ? 'No answer' : `Status ${outcome.status_code}`}
              </strong>{' '}
              after {outcome.duration_ms} ms. {outcome.message}
            </p>
            {outcome.answer && <CodeBlock label="What your endpoint said" text={outcome.answer} />}
            <p>
              <Link view="deliveries" query={{ watch: watch.id, delivery: outcome.id }}>
                See what was sent
              </Link>
            </p>
          </div>
        )}
      </div>
    </section>
  )
}
