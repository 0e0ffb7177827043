import { ago } from '../../shared/format.ts'
import { usePages } from '../../shared/parts/load-pages.ts'
import { PageFoot } from '../../shared/parts/page-foot.tsx'
import { Table } from '../../shared/parts/table.tsx'
import { formOf } from '../filter/filter-form.ts'
import { filterText } from '../filter/filter-text.ts'
import { Link } from '../parts/link.tsx'
import { useNow } from '../parts/use-now.ts'
import { show } from '../view.ts'
import { healthText, type WatchEntry } from './types.ts'

/** Every watch with its health. */
export function WatchList() {
  const watches = usePages<WatchEntry>('/v1/watches', {})
  const now = useNow()
  const isEmpty = !watches.isLoading && watches.message === '' && watches.items.length === 0
  return (
    <>
      <div class="page-head">
        <h1>Watches</h1>
        {!isEmpty && (
          <button type="button" class="button primary" onClick={() => show('watches', { watch: 'new' })}>
            New watch
          </button>
        )}
      </div>
      {isEmpty ? (
        <EmptyWatches />
      ) : (
        <section class="panel">
          {watches.items.length > 0 && (
            <Table columns={['Name', 'Looks for', 'Health']}>
              {watches.items.map((watch) => (
                <tr key={watch.id}>
                  <td>
                    <Link view="watches" query={{ watch: watch.id }}>
                      {watch.name}
                    </Link>
                    <span class="quiet block url">{watch.url}</span>
                  </td>
                  <td data-label="Looks for">{filterText(formOf(watch.filter))}</td>
                  <td data-label="Health">
                    <span class={`status watch-${watch.status}`}>{watch.status}</span>
                    <span class="quiet block">
                      {healthText(watch, watch.failing_since && ago(watch.failing_since, now))}
                    </span>
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <PageFoot list={watches} empty="" />
        </section>
      )}
    </>
  )
}

function EmptyWatches() {
  return (
    <section class="panel teaching">
      <h2>Be told the moment something happens</h2>
      <p>
        A watch is a filter and an address of yours. Every confirmed incident that fits is sent there as a signed POST
        within seconds, and again until your endpoint answers 2xx.
      </p>
      <ol class="steps">
        <li>Say what you look for, and draw where on the map.</li>
        <li>See what the last 30 days would have brought.</li>
        <li>Send yourself a test message, and read here what your endpoint said.</li>
      </ol>
      <button type="button" class="button primary" onClick={() => show('watches', { watch: 'new' })}>
        Make your first watch
      </button>
      <p class="quiet">
        No endpoint yet? <a href="/docs/webhooks">The guide on webhooks</a> has one in five languages.
      </p>
    </section>
  )
}
