import { useState } from 'preact/hooks'
import { ago, momentText } from '../../shared/format.ts'
import { request } from '../../shared/parts/request.ts'
import { useStore } from '../../shared/store.ts'
import { ExplainPanel } from '../explain/explain-panel.tsx'
import { formOf } from '../filter/filter-form.ts'
import { filterText } from '../filter/filter-text.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { Link } from '../parts/link.tsx'
import { SecretBox } from '../parts/secret-box.tsx'
import { useAction } from '../parts/use-action.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { useNow } from '../parts/use-now.ts'
import { NotifyHere } from '../push/notify-here.tsx'
import { scheduleText } from '../schedule/schedule-form.ts'
import { show } from '../view.ts'
import { newSecret } from './new-secret.ts'
import { SendPending } from './send-pending.tsx'
import { TestMessage } from './test-message.tsx'
import { CHANNEL_WORDS, EVENT_WORDS, healthText, type WatchEntry } from './types.ts'
import { WatchDialog, type WatchQuestion } from './watch-dialogs.tsx'

/**
 * One watch: its health, its secret when it is new, a test message, why it matched, and what can be
 * done to it.
 */
export function WatchPage({ id, incident }: { id: string; incident: string }) {
  const { body: watch, failure, reload } = useLoaded<WatchEntry>(`/v1/watches/${encodeURIComponent(id)}`)
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
          <button
            type="button"
            class="button"
            disabled={action.isBusy}
            onClick={() => setStatus(isStopped ? 'active' : 'paused')}
          >
            {isStopped ? 'Resume' : 'Pause'}
          </button>
          <button type="button" class="button" onClick={() => show('watches', { watch: id, edit: '1' })}>
            Edit
          </button>
          {watch.channel.kind === 'webhook' && (
            <button type="button" class="button" onClick={() => setQuestion('rotate')}>
              New secret
            </button>
          )}
          <button type="button" class="button danger" onClick={() => setQuestion('delete')}>
            Delete
          </button>
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
