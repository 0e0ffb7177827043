import { useState } from 'preact/hooks'
import { dayText, numberText } from '../../shared/format.ts'
import { usePages } from '../../shared/parts/load-pages.ts'
import { PageFoot } from '../../shared/parts/page-foot.tsx'
import { Table } from '../../shared/parts/table.tsx'
import { useStore } from '../../shared/store.ts'
import { Link } from '../parts/link.tsx'
import { watchesText } from '../parts/watches-text.ts'
import { person } from '../person.ts'
import { show } from '../view.ts'
import { DeleteSites } from './delete-sites.tsx'
import type { SiteList } from './site-list.ts'
import { FileFormat } from './upload/file-format.tsx'

/** Every list of sites with the watches that use it. */
export function SiteLists() {
  const lists = usePages<SiteList>('/v1/sites', {})
  const [leaving, setLeaving] = useState<SiteList | null>(null)
  const quota = useStore(person)?.quotas.site_lists
  const isEmpty = !lists.isLoading && lists.message === '' && lists.items.length === 0
  return (
    <>
      <div class="page-head">
        <h1>Sites</h1>
        {!isEmpty && (
          <button type="button" class="button primary" onClick={() => show('sites', { sites: 'new' })}>
            Upload a list
          </button>
        )}
      </div>
      {isEmpty ? (
        <NoSites />
      ) : (
        <section class="panel">
          {lists.items.length > 0 && (
            <Table columns={['Name', 'Sites', 'Used by', 'Changed']} action="Actions">
              {lists.items.map((list) => (
                <tr key={list.id}>
                  <td>
                    <Link view="sites" query={{ sites: list.id }}>
                      {list.name}
                    </Link>
                    <span class="quiet block url">{list.id}</span>
                  </td>
                  <td data-label="Sites">{numberText(list.size)}</td>
                  <td data-label="Used by">{watchesText(list.watches)}</td>
                  <td data-label="Changed" class="nowrap">
                    {dayText(list.updated_at)}
                  </td>
                  <td>
                    <div class="row-actions">
                      <button type="button" class="text-button" onClick={() => setLeaving(list)}>
                        Delete<span class="hidden"> {list.name}</span>
                      </button>
                    </div>
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <PageFoot list={lists} empty="" />
          {quota !== undefined && (
            <p class="quiet">
              An account may have {numberText(quota.limit)}. Use the id as <code>sites</code> in a list, a stream or a
              filter: <a href="/docs/sites">site lists</a>.
            </p>
          )}
        </section>
      )}
      {leaving !== null && (
        <DeleteSites
          list={leaving}
          onClose={() => setLeaving(null)}
          onDeleted={() => {
            setLeaving(null)
            lists.reload()
          }}
        />
      )}
    </>
  )
}

function NoSites() {
  return (
    <section class="panel teaching">
      <h2>Upload your sites, and hear of what happens near them</h2>
      <p>
        Depots, schools, clinics, masts: up to 10,000 in a list, each with its own radius. One watch covers them all,
        and its messages name the sites concerned with their distance. Nobody else can see them.
      </p>
      <FileFormat />
      <button type="button" class="button primary" onClick={() => show('sites', { sites: 'new' })}>
        Upload your first list
      </button>
    </section>
  )
}
