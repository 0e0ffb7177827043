import { useEffect, useState } from 'preact/hooks'
import type { ListStatesAnswer } from '../../client/src/generated/types.ts'
import { SEVERITIES, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { SeverityDot } from '../shared/components.tsx'
import { Button, Field, Select } from '../shared/parts/controls.tsx'
import { useStore } from '../shared/store.ts'
import { ago, placeText } from '../shared/text.ts'
import { useLoaded } from './actions.ts'
import { CodeBlock } from './parts.tsx'
import { EMPTY_TAIL, followStream, setPaused, type TailEvent, tail } from './tail.ts'
import { typeLabel } from './watches/filter-form.ts'

const CONNECTION_WORDS = { connecting: 'Connecting', open: 'Listening', lost: 'Reconnecting' } as const

/** The stream as it comes. */
export function LiveView() {
  const [filter, setFilter] = useState<Readonly<Record<string, string>>>({})
  const { connection, hasGap, events, isPaused, waiting } = useStore(tail)
  const states = useLoaded<ListStatesAnswer>('/v1/places/states').body?.data ?? []
  const key = JSON.stringify(filter)
  useEffect(() => followStream(filter), [key])
  const choose = (name: string, value: string) => {
    const { [name]: _, ...rest } = filter
    setFilter(value === '' ? rest : { ...rest, [name]: value })
  }
  return (
    <>
      <div class="page-head">
        <h1>
          Live{' '}
          <span class={connection === 'open' ? 'status watch-active' : 'status'}>{CONNECTION_WORDS[connection]}</span>
        </h1>
        <div class="row-of-buttons">
          <Button
            label={isPaused ? `Go on${waiting.length > 0 ? ` (${waiting.length} new)` : ''}` : 'Pause'}
            onClick={() => tail.set(setPaused(tail.get(), !isPaused))}
          />
          <Button
            label="Clear"
            disabled={events.length === 0}
            onClick={() => tail.set({ ...EMPTY_TAIL, connection, isPaused })}
          />
        </div>
      </div>
      <section class="panel">
        <div class="fields">
          <Choice label="State" names={states.map(({ name }) => name)} onChoose={(value) => choose('state', value)} />
          <Choice label="Type" names={TYPE_NAMES} labelOf={typeLabel} onChoose={(value) => choose('type', value)} />
          <Choice label="Severity from" names={SEVERITIES} onChoose={(value) => choose('min_severity', value)} />
        </div>
        {hasGap && (
          <p class="quiet" role="status">
            The service could not go on from the last event, and the stream began anew. Events of the meantime are
            missing here, and some of those below may have been withdrawn.
          </p>
        )}
        {events.length === 0 ? <EmptyTail isOpen={connection === 'open'} /> : <TailList events={events} />}
      </section>
    </>
  )
}

function EmptyTail({ isOpen }: { isOpen: boolean }) {
  return (
    <div class="teaching">
      <p>
        {isOpen
          ? 'Waiting for the next incident: it appears here within moments of its confirmation.'
          : 'The stream is being opened.'}
      </p>
      <p class="quiet">
        Your program reads the same: <code>GET /v1/stream</code>, <a href="/docs/streaming">how it works</a>.
      </p>
    </div>
  )
}

function TailList({ events }: { events: readonly TailEvent[] }) {
  return (
    <ol class="tail" aria-live="polite" aria-label="Events">
      {events.map(({ seq, position, event, incident, text, at }) => (
        <li key={position}>
          <details>
            <summary>
              <span class="quiet tail-seq">{seq}</span>
              {incident !== null && <SeverityDot severity={incident.severity} />}
              <span>
                {incident === null ? 'Retracted: delete your copy' : incident.summary}
                <span class="quiet block">
                  {event}
                  {incident !== null && ` · ${placeText(incident)}`} · {ago(new Date(at).toISOString(), Date.now())}
                </span>
              </span>
            </summary>
            <CodeBlock label={`Event ${seq}`} text={JSON.stringify(JSON.parse(text), null, 2)} />
          </details>
        </li>
      ))}
    </ol>
  )
}

interface ChoiceProperties {
  readonly label: string
  readonly names: readonly string[]
  readonly labelOf?: (name: string) => string
  readonly onChoose: (value: string) => void
}

function Choice({ label, names, labelOf = (name) => name, onChoose }: ChoiceProperties) {
  return (
    <Field label={label}>
      <Select none="Any" options={names} labelOf={(name) => labelOf(name)} onChoose={onChoose} />
    </Field>
  )
}
