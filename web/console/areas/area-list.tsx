import { useState } from 'preact/hooks'
import { dayText, numberText } from '../../shared/format.ts'
import { usePages } from '../../shared/parts/load-pages.ts'
import { PageFoot } from '../../shared/parts/page-foot.tsx'
import { request } from '../../shared/parts/request.ts'
import { Table } from '../../shared/parts/table.tsx'
import { useStore } from '../../shared/store.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Link } from '../parts/link.tsx'
import { watchesText } from '../parts/watches-text.ts'
import { person } from '../person.ts'
import { show } from '../view.ts'
import { type SavedArea, shapeOf, shapeText } from './saved-area.ts'

/** Every saved area with the watches that use it. */
export function AreaList() {
  const list = usePages<SavedArea>('/v1/areas', {})
  const [leaving, setLeaving] = useState<SavedArea | null>(null)
  const quota = useStore(person)?.quotas.areas
  const isEmpty = !list.isLoading && list.message === '' && list.items.length === 0
  return (
    <>
      <div class="page-head">
        <h1>Saved areas</h1>
        {!isEmpty && (
          <button type="button" class="button primary" onClick={() => show('areas', { area: 'new' })}>
            New area
          </button>
        )}
      </div>
      {isEmpty ? (
        <EmptyAreas />
      ) : (
        <section class="panel">
          {list.items.length > 0 && (
            <Table columns={['Name', 'Shape', 'Used by', 'Changed']} action="Actions">
              {list.items.map((area) => (
                <tr key={area.id}>
                  <td>
                    <Link view="areas" query={{ area: area.id }}>
                      {area.name}
                    </Link>
                    <span class="quiet block url">{area.id}</span>
                  </td>
                  <td data-label="Shape">{shapeText(shapeOf(area))}</td>
                  <td data-label="Used by">{watchesText(area.watches)}</td>
                  <td data-label="Changed" class="nowrap">
                    {dayText(area.updated_at)}
                  </td>
                  <td>
                    <div class="row-actions">
                      <button type="button" class="text-button" onClick={() => setLeaving(area)}>
                        Delete<span class="hidden"> {area.name}</span>
                      </button>
                    </div>
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <PageFoot list={list} empty="" />
          {quota !== undefined && (
            <p class="quiet">
              An account may have {numberText(quota.limit)}. Use the id as <code>area</code> in a list, a stream or a
              filter: <a href="/docs/filters">filters</a>.
            </p>
          )}
        </section>
      )}
      {leaving !== null && (
        <ConfirmDialog
          title={`Delete ${leaving.name}`}
          action="Delete it"
          isDangerous
          onClose={() => setLeaving(null)}
          onConfirm={async () => {
            await request('DELETE', `/v1/areas/${leaving.id}`)
            setLeaving(null)
            list.reload()
          }}
        >
          <p>
            {leaving.watches > 0
              ? 'Watches look in it: it can be deleted once they look somewhere else, or are deleted themselves.'
              : 'Requests that name it are refused from now on. This cannot be taken back.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function EmptyAreas() {
  return (
    <section class="panel teaching">
      <h2>Draw a place once, and use it everywhere</h2>
      <p>
        A saved area is a region, a circle or a road with a name of yours: a depot, a district, the way to work. Watches
        can look in it, and every list, stream and statistic takes it as <code>area</code>.
      </p>
      <ol class="steps">
        <li>Draw it on the map, or write it as numbers, and name it.</li>
        <li>Choose it in the form of a watch.</li>
        <li>Move its border later: the watches that use it follow.</li>
      </ol>
      <button type="button" class="button primary" onClick={() => show('areas', { area: 'new' })}>
        Save your first area
      </button>
    </section>
  )
}
