import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ListAreasAnswer, Area as SavedArea } from '../../../client/src/generated/types.ts'
import { Button, Field, PageFoot, submits, Table, typed, usePages } from '../../shared/parts/controls.tsx'
import { readPages, request } from '../../shared/parts/request.ts'
import { useStore } from '../../shared/store.ts'
import { dayText, numberText } from '../../shared/text.ts'
import { useAction, useLoaded, useRead } from '../actions.ts'
import { ConfirmDialog, FailureNote, Link, watchesText } from '../parts.tsx'
import { person, readPerson } from '../person.ts'
import { place, show } from '../view.ts'
import { ANYWHERE, type Area, NO_FEATURES, shapeMember, shapeOf, shapeText } from './area.ts'
import { AreaField } from './area-field.tsx'

/** The list of saved areas, or the form; as the address says. */
export function AreasView() {
  const { area } = useStore(place).query
  if (area === undefined) return <AreaList />
  return area === 'new' ? <NewArea /> : <EditArea key={area} id={area} />
}

/** Every saved area with the watches that use it. */
function AreaList() {
  const list = usePages<SavedArea>('/v1/areas', {})
  const [leaving, setLeaving] = useState<SavedArea | null>(null)
  const quota = useStore(person)?.quotas.areas
  const isEmpty = !list.isLoading && list.message === '' && list.items.length === 0
  return (
    <>
      <div class="page-head">
        <h1>Saved areas</h1>
        {!isEmpty && <Button class="button primary" label="New area" onClick={() => show('areas', { area: 'new' })} />}
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
                      <Button class="text-button" label="Delete" about={area.name} onClick={() => setLeaving(area)} />
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
      <Button class="button primary" label="Save your first area" onClick={() => show('areas', { area: 'new' })} />
    </section>
  )
}

const leave = () => show('areas')

function NewArea() {
  const save = async (body: object) => {
    await request('POST', '/v1/areas', { body, idempotencyKey: crypto.randomUUID() })
    // The limits show one more.
    await readPerson()
    leave()
  }
  return (
    <>
      <h1>New area</h1>
      <AreaForm name="" area={ANYWHERE} action="Save the area" onSave={save} />
    </>
  )
}

function EditArea({ id }: { id: string }) {
  const { body: saved, failure } = useLoaded<SavedArea>(`/v1/areas/${encodeURIComponent(id)}`)
  const save = async (body: object) => {
    await request('PATCH', `/v1/areas/${id}`, { body })
    leave()
  }
  if (saved === null)
    return failure === null ? (
      <p class="quiet">Loading.</p>
    ) : (
      <section class="panel">
        <FailureNote failure={failure} />
        <Link view="areas">All saved areas</Link>
      </section>
    )
  return (
    <>
      <h1>Edit {saved.name}</h1>
      <AreaForm name={saved.name} area={shapeOf(saved)} action="Save" onSave={save}>
        {saved.watches > 0 && (
          <p class="quiet">
            {saved.watches === 1 ? 'One watch looks' : `${saved.watches} watches look`} in it, and will look where you
            draw it.
          </p>
        )}
      </AreaForm>
    </>
  )
}

interface AreaFormProperties {
  readonly name: string
  readonly area: Area
  readonly action: string
  readonly onSave: (body: object) => Promise<unknown>
  /** Shown before it is changed. */
  readonly children?: ComponentChildren
}

function AreaForm({ name: before, area: shapeBefore, action, onSave, children }: AreaFormProperties) {
  const [name, setName] = useState(before)
  const [area, setArea] = useState(shapeBefore)
  const { isBusy, failure, run } = useAction()
  const shape = shapeMember(area)
  const submit = submits(() => run(() => onSave({ name: name.trim(), ...shape })))
  return (
    <form class="watch-form" onSubmit={submit}>
      <section class="panel">
        <div class="fields">
          <Field label="Name">
            <input required maxLength={100} placeholder="Depot Kaduna" {...typed(name, setName)} />
          </Field>
        </div>
        {children}
        <AreaField area={area} incidents={NO_FEATURES} onChange={setArea} />
      </section>
      <div class="panel save-line">
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <Button class="button primary" type="submit" label={action} disabled={isBusy || shape === null} />
          <Button label="Cancel" onClick={leave} />
          {shape === null && <span class="quiet">Draw the area first.</span>}
        </div>
      </div>
    </form>
  )
}

/** Loads every saved area of the account, by name. */
export function useSavedAreas() {
  return useRead('areas', async (signal) => {
    const areas: SavedArea[] = []
    for await (const { data } of readPages<ListAreasAnswer>('/v1/areas', { limit: '100' }, signal)) areas.push(...data)
    return areas.toSorted((one, other) => one.name.localeCompare(other.name))
  })
}
