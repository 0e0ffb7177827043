import { useState } from 'preact/hooks'
import type { RetryWatchAnswer, TestWatchAnswer, Watch, WatchWithSecret } from '../../../client/src/generated/types.ts'
import type { WatchEvent } from '../../../src/domain/watch.ts'
import { Button, Select } from '../../shared/parts/controls.tsx'
import { request } from '../../shared/parts/request.ts'
import { useStore } from '../../shared/store.ts'
import { ago, momentText, numberText } from '../../shared/text.ts'
import { useAction, useLoaded } from '../actions.ts'
import { CodeBlock, ConfirmDialog, FailureNote, Link, SecretBox } from '../parts.tsx'
import { useNow } from '../person.ts'
import { show } from '../view.ts'
import { NotifyHere } from './channel-fields.tsx'
import { ExplainPanel } from './explain-panel.tsx'
import { filterText, formOf } from './filter-form.ts'
import { CHANNEL_WORDS, EVENT_WORDS, healthText, newSecret, scheduleText } from './watch.ts'

/**
 * One watch: its health, its secret when it is new, a test message, why it matched, and what can be
 * done to it.
 */
export function WatchPage({ id, incident }: { id: string; incident: string }) {
  const { body: watch, failure, reload } = useLoaded<Watch>(`/v1/watches/${encodeURIComponent(id)}`)
  const secret = useStore(newSecret)
  const now = useNow()
  const [question, setQuestion] = useState<WatchQuestion | null>(null)
  const action = useAction()
  if (watch === null)
    return failure === null ? (
      <p class="quiet">Loading.</p>
    ) : (
      <section class="panel">
        <FailureNote failure={failure} />
        <Link view="watches">All watches</Link>
      </section>
    )
  const form = formOf(watch.filter)
  const { area } = form
  const when = scheduleText(watch)
  const isStopped = watch.status === 'paused' || watch.status === 'disabled'
  const setStatus = (status: 'active' | 'paused') =>
    action.run(async () => {
      await request('PATCH', `/v1/watches/${id}`, { body: { status } })
      reload()
    })
  return (
    <>
      <p class="back">
        <Link view="watches">All watches</Link>
      </p>
      <div class="page-head">
        <h1>
          {watch.name} <span class={`status watch-${watch.status}`}>{watch.status}</span>
        </h1>
        <div class="row-of-buttons">
          <Button
            label={isStopped ? 'Resume' : 'Pause'}
            disabled={action.isBusy}
            onClick={() => setStatus(isStopped ? 'active' : 'paused')}
          />
          <Button label="Edit" onClick={() => show('watches', { watch: id, edit: '1' })} />
          {watch.channel.kind === 'webhook' && <Button label="New secret" onClick={() => setQuestion('rotate')} />}
          <Button class="button danger" label="Delete" onClick={() => setQuestion('delete')} />
        </div>
      </div>
      <FailureNote failure={action.failure} />
      {secret?.watchId === id && (
        <div class="panel">
          <SecretBox label="The secret of this watch." secret={secret.secret}>
            It is shown only now: your endpoint checks with it that a message is from us.
          </SecretBox>
          <p class="quiet">
            <a href="/docs/webhooks">How to verify a message</a>, in five languages.
          </p>
        </div>
      )}
      <section class="panel">
        <p>{healthText(watch, watch.failing_since && ago(watch.failing_since, now))}</p>
        <dl class="facts">
          <dt>Looks for</dt>
          <dd>{filterText(form)}</dd>
          {area.kind === 'sites' && (
            <>
              <dt>Sites</dt>
              <dd>
                <Link view="sites" query={{ sites: area.id }}>
                  {area.id}
                </Link>
              </dd>
            </>
          )}
          {area.kind === 'saved' && (
            <>
              <dt>Area</dt>
              <dd>
                <Link view="areas" query={{ area: area.id }}>
                  {area.id}
                </Link>
              </dd>
            </>
          )}
          <dt>Sends</dt>
          <dd>{watch.events.map((event) => EVENT_WORDS[event] ?? event).join(', ')}</dd>
          {when !== null && (
            <>
              <dt>When</dt>
              <dd>{when}</dd>
            </>
          )}
          <dt>To</dt>
          <dd class="url">
            {watch.channel.kind === 'webhook'
              ? watch.url
              : `${watch.channel.kind === 'webpush' ? 'Browser' : CHANNEL_WORDS[watch.channel.kind]}: ${watch.url}`}
          </dd>
          {Object.keys(watch.headers).length > 0 && (
            <>
              <dt>Headers</dt>
              <dd>{Object.keys(watch.headers).join(', ')}</dd>
            </>
          )}
          {watch.description !== null && (
            <>
              <dt>Note</dt>
              <dd>{watch.description}</dd>
            </>
          )}
          <dt>Made</dt>
          <dd>{momentText(watch.created_at)}</dd>
        </dl>
        <p>
          <Link view="deliveries" query={{ watch: id }}>
            Deliveries of this watch
          </Link>
        </p>
      </section>
      <NotifyHere watch={watch} onDone={reload} />
      <TestMessage watch={watch} onSent={reload} />
      <SendPending watch={watch} />
      <ExplainPanel watchId={id} incident={incident} />
      {question !== null && (
        <WatchDialog
          question={question}
          watch={watch}
          onClose={() => setQuestion(null)}
          onDone={() => {
            setQuestion(null)
            reload()
          }}
        />
      )}
    </>
  )
}

/** Sends a signed test message and shows what the endpoint said. */
function TestMessage({ watch, onSent }: { watch: Watch; onSent: () => void }) {
  const [event, setEvent] = useState<WatchEvent>(watch.events[0]!)
  const [outcome, setOutcome] = useState<TestWatchAnswer | null>(null)
  const { isBusy, failure, run } = useAction()
  const send = () =>
    run(async () => {
      setOutcome(null)
      setOutcome(await request<TestWatchAnswer>('POST', `/v1/watches/${watch.id}/test`, { body: { event } }))
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
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the choice is among the children */}
        <label class="inline-field">
          <span class="hidden">Event of the test message</span>
          <Select value={event} options={Object.keys(EVENT_WORDS) as WatchEvent[]} onChoose={setEvent} />
        </label>
        <Button class="button primary" label={isBusy ? 'Sending' : 'Send a test'} disabled={isBusy} onClick={send} />
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

/** Makes the messages due that wait for their next attempt, as after the repair of an endpoint. */
function SendPending({ watch: { id, status } }: { watch: Watch }) {
  const [pending, setPending] = useState<number | null>(null)
  const { isBusy, failure, run } = useAction()
  const isStopped = status === 'paused' || status === 'disabled'
  const send = () =>
    run(async () => {
      setPending(null)
      setPending((await request<RetryWatchAnswer>('POST', `/v1/watches/${id}/retry`)).pending)
    })
  return (
    <section class="panel" aria-labelledby="pending-heading">
      <h2 id="pending-heading">Messages that wait</h2>
      <p class="quiet">
        A message that your endpoint refused is tried again after a while, and later each time.{' '}
        {isStopped ? 'They are sent when you resume the watch.' : 'Is it repaired? Then do not wait.'}
      </p>
      <div class="row-of-buttons">
        <Button label="Send pending now" disabled={isBusy || isStopped} onClick={send} />
        <Link view="deliveries" query={{ watch: id, status: 'pending' }}>
          See them
        </Link>
      </div>
      <FailureNote failure={failure} />
      <div role="status">{pending !== null && <p>{pendingText(pending)}</p>}</div>
    </section>
  )
}

function pendingText(pending: number): string {
  if (pending === 0) return 'No message waits.'
  return pending === 1 ? 'One message is sent now.' : `${numberText(pending)} messages are sent now.`
}

type WatchQuestion = 'rotate' | 'delete'

interface WatchDialogProperties {
  readonly question: WatchQuestion
  readonly watch: Watch
  readonly onClose: () => void
  readonly onDone: () => void
}

function WatchDialog({ question, ...properties }: WatchDialogProperties) {
  return question === 'rotate' ? <RotateDialog {...properties} /> : <DeleteDialog {...properties} />
}

type DialogProperties = Omit<WatchDialogProperties, 'question'>

function RotateDialog({ watch, onClose, onDone }: DialogProperties) {
  const [revoke, setRevoke] = useState(false)
  const rotate = async () => {
    const { secret } = await request<WatchWithSecret>('POST', `/v1/watches/${watch.id}/rotate-secret`, {
      body: { revoke },
      idempotencyKey: crypto.randomUUID(),
    })
    newSecret.set({ watchId: watch.id, secret })
    onDone()
  }
  return (
    <ConfirmDialog title={`New secret for ${watch.name}`} action="Make it" onConfirm={rotate} onClose={onClose}>
      <p>Messages carry signatures of both secrets for 24 hours, so that your endpoint can change over in peace.</p>
      <label class="check-line">
        <input type="checkbox" checked={revoke} onChange={({ currentTarget }) => setRevoke(currentTarget.checked)} />
        The old secret has leaked: end it at once
      </label>
    </ConfirmDialog>
  )
}

function DeleteDialog({ watch, onClose }: DialogProperties) {
  const remove = async () => {
    await request('DELETE', `/v1/watches/${watch.id}`)
    show('watches')
  }
  return (
    <ConfirmDialog title={`Delete ${watch.name}`} action="Delete it" isDangerous onConfirm={remove} onClose={onClose}>
      <p>Nothing more is sent, and the log of its deliveries is deleted. To stop for a while, pause it.</p>
    </ConfirmDialog>
  )
}
