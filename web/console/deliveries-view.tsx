import { useState } from 'preact/hooks'
import type { Delivery, ListWatchesAnswer, Watch } from '../../client/src/generated/types.ts'
import { Button, Field, PageFoot, Select, Table, usePages } from '../shared/parts/controls.tsx'
import { useStore } from '../shared/store.ts'
import { ago } from '../shared/text.ts'
import { useLoaded } from './actions.ts'
import { attemptText, FILTER_CHOICES, type FilterName, type LogFilter, logFilterOf } from './delivery-log.ts'
import { DeliveryPage } from './delivery-page.tsx'
import { Link } from './parts.tsx'
import { useNow } from './person.ts'
import { ResendAll } from './resend-all.tsx'
import { place, replaceQuery } from './view.ts'

/** The log of deliveries, or one of them; as the address says. */
export function DeliveriesView() {
  const { delivery, ...query } = useStore(place).query
  return delivery === undefined ? (
    <DeliveryLog query={query} />
  ) : (
    <DeliveryPage key={delivery} id={delivery} back={query} />
  )
}

/** Every message, with filters, and all that they match sent again. */
function DeliveryLog({ query }: { query: Readonly<Record<string, string>> }) {
  const filter = logFilterOf(query)
  const isFiltered = Object.keys(filter).length > 0
  const deliveries = usePages<Delivery>('/v1/deliveries', filter as Record<string, string>)
  const watches = useLoaded<ListWatchesAnswer>('/v1/watches?limit=100').body?.data ?? []
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  const nameOf = (id: string) => watches.find((watch) => watch.id === id)?.name ?? id
  const isEmpty = !deliveries.isLoading && deliveries.message === '' && deliveries.items.length === 0
  return (
    <>
      <div class="page-head">
        <h1>Deliveries</h1>
        <div class="row-of-buttons">
          <Button label="Refresh" onClick={deliveries.reload} />
          {isFiltered && !isEmpty && <Button label="Send all of these again" onClick={() => setAsking(true)} />}
        </div>
      </div>
      <section class="panel">
        <LogFilters
          filter={filter}
          watches={watches}
          onChange={(next) => replaceQuery(next as Record<string, string>)}
        />
        {deliveries.items.length > 0 && (
          <Table columns={['Message', 'Watch', 'Status', 'Last attempt', 'When']}>
            {deliveries.items.map((delivery) => (
              <tr key={delivery.id}>
                <td>
                  <Link view="deliveries" query={{ ...(filter as Record<string, string>), delivery: delivery.id }}>
                    {delivery.event}
                  </Link>
                  {delivery.test && <span class="tag">test</span>}
                  <span class="quiet block">{delivery.incident_id}</span>
                </td>
                <td data-label="Watch">{nameOf(delivery.watch_id)}</td>
                <td data-label="Status">
                  <span class={`status delivery-${delivery.status}`}>{delivery.status}</span>
                </td>
                <td data-label="Last attempt">
                  {delivery.last_attempt === null ? 'none yet' : attemptText(delivery.last_attempt)}
                  {delivery.attempts > 1 && <span class="quiet block">{delivery.attempts} attempts</span>}
                </td>
                <td class="nowrap" data-label="When">
                  {ago(delivery.created_at, now)}
                </td>
              </tr>
            ))}
          </Table>
        )}
        <PageFoot list={deliveries} empty={isFiltered ? 'No message fits these filters.' : ''} />
        {isEmpty && !isFiltered && <EmptyLog hasWatches={watches.length > 0} />}
      </section>
      {isAsking && (
        <ResendAll
          filter={filter}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            deliveries.reload()
          }}
        />
      )}
    </>
  )
}

function EmptyLog({ hasWatches }: { hasWatches: boolean }) {
  return (
    <div class="teaching">
      <p>Nothing has been sent yet. Every message is listed here, with what it said and what your endpoint answered.</p>
      {hasWatches ? (
        <p>
          Open one of your <Link view="watches">watches</Link> and send a test message.
        </p>
      ) : (
        <p>
          <Link view="watches" query={{ watch: 'new' }}>
            Make a watch
          </Link>{' '}
          first: it says what to send, and where.
        </p>
      )}
    </div>
  )
}

const LABELS = { status: 'Status', event: 'Event', since: 'When' } as const

interface LogFiltersProperties {
  readonly filter: LogFilter
  readonly watches: readonly Watch[]
  readonly onChange: (filter: LogFilter) => void
}

function LogFilters({ filter, watches, onChange }: LogFiltersProperties) {
  const change = (name: FilterName, value: string) => {
    const { [name]: _, ...rest } = filter
    onChange(value === '' ? rest : { ...rest, [name]: value })
  }
  return (
    <div class="fields log-filters">
      <Field label="Watch">
        <select value={filter.watch ?? ''} onChange={({ currentTarget }) => change('watch', currentTarget.value)}>
          <option value="">All</option>
          {watches.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {filter.watch !== undefined && !watches.some(({ id }) => id === filter.watch) && (
            <option value={filter.watch}>{filter.watch}</option>
          )}
        </select>
      </Field>
      {(Object.keys(LABELS) as (keyof typeof LABELS)[]).map((name) => (
        <Field key={name} label={LABELS[name]}>
          <Select value={filter[name] ?? ''} options={FILTER_CHOICES[name]} onChoose={(value) => change(name, value)} />
        </Field>
      ))}
      <Field label="Incident">
        <input
          placeholder="inc_…"
          value={filter.incident ?? ''}
          onChange={({ currentTarget }) => change('incident', currentTarget.value.trim())}
        />
      </Field>
    </div>
  )
}
