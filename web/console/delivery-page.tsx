import type { DeliveryWithAttempts } from '../../client/src/generated/types.ts'
import { Button } from '../shared/parts/controls.tsx'
import { request } from '../shared/parts/request.ts'
import { momentText } from '../shared/text.ts'
import { useAction, useLoaded } from './actions.ts'
import { attemptText } from './delivery-log.ts'
import { CodeBlock, FailureNote, Link } from './parts.tsx'

/** One message: what was sent, what the endpoint answered, and a way to send it again. */
export function DeliveryPage({ id, back }: { id: string; back: Readonly<Record<string, string>> }) {
  const {
    body: delivery,
    failure,
    reload,
  } = useLoaded<DeliveryWithAttempts>(`/v1/deliveries/${encodeURIComponent(id)}`)
  const action = useAction()
  const resend = () =>
    action.run(async () => {
      await request('POST', `/v1/deliveries/${id}/redeliver`, { idempotencyKey: crypto.randomUUID() })
      reload()
    })
  return (
    <>
      <p class="back">
        <Link view="deliveries" query={back}>
          All deliveries
        </Link>
      </p>
      {delivery === null && failure === null && <p class="quiet">Loading.</p>}
      <FailureNote failure={failure} />
      {delivery !== null && (
        <>
          <div class="page-head">
            <h1>
              {delivery.event} <span class={`status delivery-${delivery.status}`}>{delivery.status}</span>
            </h1>
            <div class="row-of-buttons">
              <Button label="Refresh" onClick={reload} />
              {!delivery.test && (
                <Button class="button primary" label="Send it again" disabled={action.isBusy} onClick={resend} />
              )}
            </div>
          </div>
          <FailureNote failure={action.failure} />
          <section class="panel">
            <dl class="facts">
              <dt>webhook-id</dt>
              <dd class="url">{delivery.id}</dd>
              <dt>Watch</dt>
              <dd>
                <Link view="watches" query={{ watch: delivery.watch_id }}>
                  {delivery.watch_id}
                </Link>
              </dd>
              <dt>Incident</dt>
              <dd>
                {incidentLink(delivery)}
                {!delivery.test && delivery.incident_id !== null && (
                  <Link
                    class="block"
                    view="watches"
                    query={{ watch: delivery.watch_id, incident: delivery.incident_id }}
                  >
                    Why did the watch match?
                  </Link>
                )}
              </dd>
              {delivery.next_attempt_at !== null && (
                <>
                  <dt>Next attempt</dt>
                  <dd>{momentText(delivery.next_attempt_at)}</dd>
                </>
              )}
            </dl>
          </section>
          <Attempts delivery={delivery} />
          <Payloads delivery={delivery} />
        </>
      )}
    </>
  )
}

function incidentLink({ test, incident_id: id }: DeliveryWithAttempts) {
  if (test) return 'made up: it is a test message'
  return id === null ? 'not known' : <a href={`/incidents/${id}`}>{id}</a>
}

function Attempts({ delivery }: { delivery: DeliveryWithAttempts }) {
  return (
    <section class="panel" aria-labelledby="attempts-heading">
      <h2 id="attempts-heading">What your endpoint answered</h2>
      {delivery.log.length === 0 && <p>Nothing was sent yet.</p>}
      <ol class="attempts">
        {delivery.log.toReversed().map((attempt) => (
          <li key={attempt.number}>
            <p>
              <strong class={attempt.outcome === 'delivered' ? 'good' : 'bad'}>Attempt {attempt.number}</strong>:{' '}
              {attemptText(attempt)}, {momentText(attempt.at)}
            </p>
            {attempt.error !== null && <p>{attempt.error}</p>}
            {attempt.answer && <CodeBlock label={`Answer to attempt ${attempt.number}`} text={attempt.answer} />}
            <details>
              <summary>Headers that were sent</summary>
              <CodeBlock
                label={`Headers of attempt ${attempt.number}`}
                text={Object.entries(attempt.headers)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join('\n')}
              />
            </details>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Payloads({ delivery }: { delivery: DeliveryWithAttempts }) {
  const { bodies, next } = delivery
  return (
    <section class="panel" aria-labelledby="payload-heading">
      <h2 id="payload-heading">What was sent</h2>
      {bodies.length === 0 && next === null && <p>The text of this message is not kept.</p>}
      {bodies.map(({ content_seq, version, redacted, body }) => (
        <div key={content_seq} class="answer">
          {bodies.length > 1 && <p>Version {version} of the incident</p>}
          {redacted && <p>Content was taken out of the incident since: this is not exactly what was sent.</p>}
          {body === null ? (
            <p>The incident was retracted since; its text is not repeated.</p>
          ) : (
            <CodeBlock label="The message" text={laidOut(body)} />
          )}
        </div>
      ))}
      {next !== null && bodies.length === 0 && (
        <CodeBlock label="The message that will be sent" text={laidOut(next.body)} />
      )}
    </section>
  )
}

function laidOut(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
