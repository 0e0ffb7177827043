import { useMemo, useState } from 'preact/hooks'
import { numberText } from '../../shared/format.ts'
import { Field } from '../../shared/parts/field.tsx'
import { Table } from '../../shared/parts/table.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { Link } from '../parts/link.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { watchesText } from '../parts/watches-text.ts'
import { show } from '../view.ts'
import { DeleteSites } from './delete-sites.tsx'
import { SitesMapField } from './map/sites-map-field.tsx'
import { type Site, sitesWith } from './site-list.ts'
import { ReplaceSites } from './upload/replace-sites.tsx'
import { useSites } from './use-sites.ts'

/** More rows than this are not read; a search finds them. */
const MAX_ROWS = 50

/** One list: its sites on a map and as a table, replacing and deleting it. */
export function SitePage({ id }: { id: string }) {
  const [round, setRound] = useState(0)
  const { list, sites, failure } = useSites(id, round)
  const [question, setQuestion] = useState<'replace' | 'delete' | null>(null)
  if (list === null)
    return failure === null ? (
      <p class="quiet">Loading.</p>
    ) : (
      <section class="panel">
        <FailureNote failure={failure} />
        <Link view="sites">All lists of sites</Link>
      </section>
    )
  return (
    <>
      <div class="page-head">
        <h1>{list.name}</h1>
        <div class="row-of-buttons">
          <button
            type="button"
            class="button primary"
            onClick={() => show('watches', { watch: 'new', sites: list.id })}
          >
            Watch these sites
          </button>
          <button type="button" class="button" onClick={() => setQuestion('replace')}>
            Replace the sites
          </button>
          <button type="button" class="button danger" onClick={() => setQuestion('delete')}>
            Delete
          </button>
        </div>
      </div>
      <FailureNote failure={failure} />
      <section class="panel">
        <p>
          {list.size === 1 ? '1 site' : `${numberText(list.size)} sites`}, used by {watchesText(list.watches)}.{' '}
          <NearLately key={round} id={list.id} />
        </p>
        <SitesMapField sites={sites} />
        <p class="quiet">
          Its id is <code>{list.id}</code>: use it as <code>sites</code> in <a href="/docs/sites">the API</a>.
        </p>
      </section>
      <SiteTable sites={sites} />
      {question === 'replace' && (
        <ReplaceSites
          list={list}
          onClose={() => setQuestion(null)}
          onReplaced={() => {
            setQuestion(null)
            setRound(round + 1)
          }}
        />
      )}
      {question === 'delete' && (
        <DeleteSites list={list} onClose={() => setQuestion(null)} onDeleted={() => show('sites')} />
      )}
    </>
  )
}

/** How many incidents a watch of them would have told of. */
function NearLately({ id }: { id: string }) {
  const search = new URLSearchParams({ group_by: 'severity', since: '30d', sites: id })
  const { body } = useLoaded<{ total: { count: number } }>(`/v1/stats?${search}`)
  if (body === null) return null
  const { count } = body.total
  return <>{count === 1 ? '1 incident' : `${numberText(count)} incidents`} near them in the last 30 days.</>
}

function SiteTable({ sites }: { sites: readonly Site[] }) {
  const [text, setText] = useState('')
  const found = useMemo(() => sitesWith(sites, text), [sites, text])
  const shown = found.slice(0, MAX_ROWS)
  return (
    <section class="panel" aria-labelledby="sites-heading">
      <h2 id="sites-heading">The sites</h2>
      {sites.length > MAX_ROWS && (
        <div class="fields">
          <Field label="Find by name or reference">
            <input type="search" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
          </Field>
        </div>
      )}
      {shown.length > 0 && (
        <Table columns={['Name', 'Latitude', 'Longitude', 'Radius', 'Reference']}>
          {shown.map((site, at) => (
            <tr key={at}>
              <td>{site.name}</td>
              <td data-label="Latitude">{site.latitude}</td>
              <td data-label="Longitude">{site.longitude}</td>
              <td data-label="Radius" class="nowrap">
                {site.radius_km} km
              </td>
              <td data-label="Reference">{site.reference ?? '–'}</td>
            </tr>
          ))}
        </Table>
      )}
      <p class="quiet" role="status">
        {found.length > shown.length && `The first ${MAX_ROWS} of ${numberText(found.length)}.`}
        {found.length === 0 && 'No site has this in its name or reference.'}
      </p>
    </section>
  )
}
