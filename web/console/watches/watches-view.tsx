import type { Watch } from '../../../client/src/generated/types.ts'
import { Button, PageFoot, Table, usePages } from '../../shared/parts/controls.tsx'
import { useStore } from '../../shared/store.ts'
import { ago } from '../../shared/text.ts'
import { Link } from '../parts.tsx'
import { useNow } from '../person.ts'
import { place, show } from '../view.ts'
import { filterText, formOf } from './filter-form.ts'
import { healthText } from './watch.ts'
import { EditWatch, NewWatch } from './watch-form.tsx'
import { WatchPage } from './watch-page.tsx'

/** The list of watches, one of them, or the form; as the address says. */
export function WatchesView() {
  const { query } = useStore(place)
  const { watch, edit, sites, incident } = query
  if (watch === undefined) return <WatchList />
  if (watch === 'new') return <NewWatch sites={sites ?? null} incident={incident ?? null} />
  return edit === undefined ? (
    <WatchPage key={watch} id={watch} incident={incident ?? ''} />
  ) : (
    <EditWatch key={watch} id={watch} />
  )
}

/** Every watch with its health. */
function WatchList() {
  const watches = usePages<Watch>('/v1/watches', {})
  const now = useNow()
  const isEmpty = !watches.isLoading && watches.message === '' && watches.items.length === 0
  return (
    <>
      <div class="page-head">
        <h1>Watches</h1>
        {!isEmpty && (
          <Button class="button primary" label="New watch" onClick={() => show('watches', { watch: 'new' })} />
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
      <Button class="button primary" label="Make your first watch" onClick={() => show('watches', { watch: 'new' })} />
      <p class="quiet">
        No endpoint yet? <a href="/docs/webhooks">The guide on webhooks</a> has one in five languages.
      </p>
    </section>
  )
}
