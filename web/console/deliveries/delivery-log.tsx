import { useState } from 'preact/hooks'
import { ago } from '../../shared/format.ts'
import { usePages } from '../../shared/parts/load-pages.ts'
import { PageFoot } from '../../shared/parts/page-foot.tsx'
import { Table } from '../../shared/parts/table.tsx'
import { Link } from '../parts/link.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { useNow } from '../parts/use-now.ts'
import { replaceQuery } from '../view.ts'
import type { WatchEntry } from '../watches/types.ts'
import { logFilterOf } from './log-filter.ts'
import { LogFilters } from './log-filters.tsx'
import { ResendAll } from './resend-all.tsx'
import { attemptText, type DeliveryEntry } from './types.ts'

/** Every message, with filters, and all that they match sent again. */
export function DeliveryLog({ query }: { query: Readonly<Record<string, string>> }) {
  const filter = logFilterOf(query)
  const isFiltered = Object.keys(filter).length > 0
  const deliveries = usePages<DeliveryEntry>('/v1/deliveries', filter as Record<string, string>)
  const watches = useLoaded<{ data: readonly WatchEntry[] }>('/v1/watches?limit=100').body?.data ?? []
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  const nameOf = (id: string) => watches.find((watch) => watch.id === id)?.name ?? id
  const isEmpty = !deliveries.isLoading && deliveries.message === '' && deliveries.items.length === 0
  return (
    <>
      <div class="page-head">
        <h1>Deliveries</h1>
        <div class="row-of-buttons">
          <button type="button" class="button" onClick={deliveries.reload}>
            Refresh
          </button>
          {isFiltered && !isEmpty && (
            <button type="button" class="button" onClick={() => setAsking(true)}>
              Send all of these again
            </button>
          )}
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
