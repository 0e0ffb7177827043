import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ReadSitesAnswer, Site, SiteList, Statistics } from '../../../client/src/generated/types.ts'
import { Button, Field, PageFoot, Table, typed, usePages } from '../../shared/parts/controls.tsx'
import { loadSmallMap, useSmallMap } from '../../shared/parts/load-small-map.ts'
import { readPages, request } from '../../shared/parts/request.ts'
import { useStore } from '../../shared/store.ts'
import { dayText, numberText } from '../../shared/text.ts'
import { useLoaded, useRead } from '../actions.ts'
import { ConfirmDialog, FailureNote, Link, watchesText } from '../parts.tsx'
import { initialData, person } from '../person.ts'
import { place, show } from '../view.ts'
import { ZoomButtons } from './area-field.tsx'
import { FileFormat, ReplaceSites, sitesWith, UploadSites } from './site-upload.tsx'

/** The lists of sites, one of them, or the form; as the address says. */
export function SitesView() {
  const { sites } = useStore(place).query
  if (sites === undefined) return <SiteLists />
  return sites === 'new' ? <UploadSites /> : <SitePage key={sites} id={sites} />
}

/** Every list of sites with the watches that use it. */
function SiteLists() {
  const lists = usePages<SiteList>('/v1/sites', {})
  const [leaving, setLeaving] = useState<SiteList | null>(null)
  const quota = useStore(person)?.quotas.site_lists
  const isEmpty = !lists.isLoading && lists.message === '' && lists.items.length === 0
  return (
    <>
      <div class="page-head">
        <h1>Sites</h1>
        {!isEmpty && (
          <Button class="button primary" label="Upload a list" onClick={() => show('sites', { sites: 'new' })} />
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
                      <Button class="text-button" label="Delete" about={list.name} onClick={() => setLeaving(list)} />
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
      <Button class="button primary" label="Upload your first list" onClick={() => show('sites', { sites: 'new' })} />
    </section>
  )
}

/** More rows than this are not read; a search finds them. */
const MAX_ROWS = 50

/** One list: its sites on a map and as a table, replacing and deleting it. */
function SitePage({ id }: { id: string }) {
  const { body, failure, reload } = useSites(id)
  const [question, setQuestion] = useState<'replace' | 'delete' | null>(null)
  if (body === null)
    return failure === null ? (
      <p class="quiet">Loading.</p>
    ) : (
      <section class="panel">
        <FailureNote failure={failure} />
        <Link view="sites">All lists of sites</Link>
      </section>
    )
  const { list, sites } = body
  return (
    <>
      <div class="page-head">
        <h1>{list.name}</h1>
        <div class="row-of-buttons">
          <Button
            class="button primary"
            label="Watch these sites"
            onClick={() => show('watches', { watch: 'new', sites: list.id })}
          />
          <Button label="Replace the sites" onClick={() => setQuestion('replace')} />
          <Button class="button danger" label="Delete" onClick={() => setQuestion('delete')} />
        </div>
      </div>
      <FailureNote failure={failure} />
      <section class="panel">
        <p>
          {list.size === 1 ? '1 site' : `${numberText(list.size)} sites`}, used by {watchesText(list.watches)}.{' '}
          <NearLately key={list.version} id={list.id} />
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
            reload()
          }}
        />
      )}
      {question === 'delete' && (
        <DeleteSites list={list} onClose={() => setQuestion(null)} onDeleted={() => show('sites')} />
      )}
    </>
  )
}

/** Loads a list with all its sites. */
function useSites(id: string) {
  return useRead(id, async (signal) => {
    const sites: Site[] = []
    let list: SiteList | null = null
    for await (const page of readPages<ReadSitesAnswer>(
      `/v1/sites/${encodeURIComponent(id)}`,
      { limit: '1000' },
      signal,
    )) {
      sites.push(...page.data)
      list = page.list
    }
    return { list: list!, sites }
  })
}

/** The number of incidents that a watch of them would have told of. */
function NearLately({ id }: { id: string }) {
  const search = new URLSearchParams({ group_by: 'severity', since: '30d', sites: id })
  const { body } = useLoaded<Statistics>(`/v1/stats?${search}`)
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
            <input type="search" {...typed(text, setText)} />
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

interface DeleteSitesProperties {
  readonly list: SiteList
  readonly onClose: () => void
  readonly onDeleted: () => void
}

function DeleteSites({ list, onClose, onDeleted }: DeleteSitesProperties) {
  return (
    <ConfirmDialog
      title={`Delete ${list.name}`}
      action="Delete it"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await request('DELETE', `/v1/sites/${list.id}`)
        onDeleted()
      }}
    >
      <p>
        {list.watches > 0
          ? 'Watches use it: it can be deleted once they look somewhere else, or are deleted themselves.'
          : 'Its sites are gone for good, and requests that name it are refused.'}
      </p>
    </ConfirmDialog>
  )
}

/** The circles of more sites than this would cover the map, and slow it. */
const MAX_CIRCLES = 1000

/** The sites on a map, so that a wrong position is seen. */
function SitesMapField({ sites }: { sites: readonly Site[] }) {
  const { container, map, isReady, fault } = useSmallMap(async (element) => {
    const [{ createSitesMap }, parts] = await loadSmallMap(import('./sites-map.ts'), initialData)
    return createSitesMap(element, parts)
  })
  const hasCircles = sites.length <= MAX_CIRCLES
  useEffect(() => map.current?.showSites(sites, hasCircles), [sites, isReady])
  return (
    <div class="area-field">
      {fault !== null && <p role="status">{fault}</p>}
      <div class="area-map-frame">
        <div ref={container} class="small-map sites-map" aria-busy="true" />
        <ZoomButtons onZoom={(levels) => map.current?.zoomBy(levels)} />
      </div>
      {!hasCircles && <p class="quiet">So many sites are drawn without their circles.</p>}
    </div>
  )
}
