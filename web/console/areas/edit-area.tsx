import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Field } from '../../shared/parts/field.tsx'
import { request } from '../../shared/parts/request.ts'
import { ANYWHERE, type Area } from '../area/area.ts'
import { NO_FEATURES } from '../area/area-features.ts'
import { AreaField } from '../area-map/area-field.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { Link } from '../parts/link.tsx'
import { useAction } from '../parts/use-action.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { readPerson } from '../person.ts'
import { show } from '../view.ts'
import { type SavedArea, shapeMember, shapeOf } from './saved-area.ts'

const leave = () => show('areas')

export function NewArea() {
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

export function EditArea({ id }: { id: string }) {
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
  /** What is to be known before it is changed. */
  readonly children?: ComponentChildren
}

function AreaForm({ name: before, area: shapeBefore, action, onSave, children }: AreaFormProperties) {
  const [name, setName] = useState(before)
  const [area, setArea] = useState(shapeBefore)
  const { isBusy, failure, run } = useAction()
  const shape = shapeMember(area)
  const submit = (event: Event) => {
    event.preventDefault()
    void run(() => onSave({ name: name.trim(), ...shape }))
  }
  return (
    <form class="watch-form" onSubmit={submit}>
      <section class="panel">
        <div class="fields">
          <Field label="Name">
            <input
              required
              maxLength={100}
              placeholder="Depot Kaduna"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </Field>
        </div>
        {children}
        <AreaField area={area} incidents={NO_FEATURES} onChange={setArea} />
      </section>
      <div class="panel save-line">
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <button type="submit" class="button primary" disabled={isBusy || shape === null}>
            {action}
          </button>
          <button type="button" class="button" onClick={leave}>
            Cancel
          </button>
          {shape === null && <span class="quiet">Draw the area first.</span>}
        </div>
      </div>
    </form>
  )
}
