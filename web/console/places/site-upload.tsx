import { useState } from 'preact/hooks'
import type { Site, SiteList } from '../../../client/src/generated/types.ts'
import { Button, Dialog, Field, typed } from '../../shared/parts/controls.tsx'
import { request } from '../../shared/parts/request.ts'
import { useAction } from '../actions.ts'
import { CodeBlock, FailureNote } from '../parts.tsx'
import { readPerson } from '../person.ts'
import { show } from '../view.ts'

/** A new list from a file. */
export function UploadSites() {
  const [name, setName] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const { isBusy, failure, run, clear } = useAction()
  const choose = (chosen: File | null) => {
    clear()
    setFile(chosen)
    if (chosen !== null && name.trim() === '') setName(nameFromFile(chosen.name))
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (file === null) return
    void run(async () => {
      const list = await request<SiteList>('POST', `/v1/sites?${new URLSearchParams({ name: name.trim() })}`, {
        content: { type: contentTypeOf(file), body: file },
        idempotencyKey: crypto.randomUUID(),
      })
      // The limits show one more.
      await readPerson()
      show('sites', { sites: list.id })
    })
  }
  return (
    <>
      <h1>Upload a list of sites</h1>
      <form class="watch-form" onSubmit={submit}>
        <section class="panel">
          <FileFormat />
          <div class="fields">
            <FileField onChoose={choose} />
            <Field label="Name of the list">
              <input required maxLength={100} placeholder="Depots" {...typed(name, setName)} />
            </Field>
          </div>
        </section>
        <div class="panel save-line">
          <FailureNote failure={failure} />
          <div class="row-of-buttons">
            <Button
              class="button primary"
              type="submit"
              label={isBusy ? 'Uploading' : 'Upload'}
              disabled={isBusy || file === null}
            />
            <Button label="Cancel" onClick={() => show('sites')} />
            {file === null && <span class="quiet">Choose a file first.</span>}
          </div>
        </div>
      </form>
    </>
  )
}

interface ReplaceSitesProperties {
  readonly list: SiteList
  readonly onClose: () => void
  readonly onReplaced: () => void
}

/** Puts the sites of another file in place of all that the list has. */
export function ReplaceSites({ list, onClose, onReplaced }: ReplaceSitesProperties) {
  const [file, setFile] = useState<File | null>(null)
  const { isBusy, failure, run, clear } = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    if (file === null) return
    void run(async () => {
      await request('PUT', `/v1/sites/${list.id}`, { content: { type: contentTypeOf(file), body: file } })
      onReplaced()
    })
  }
  return (
    <Dialog title={`Replace the sites of ${list.name}`} onClose={onClose}>
      <form class="dialog-body" onSubmit={submit}>
        <p>
          All sites of the list go, and those of the file come in their place.
          {list.watches > 0 && ' Watches that use it look near the new ones from then on.'}
        </p>
        <FileField
          onChoose={(chosen) => {
            clear()
            setFile(chosen)
          }}
        />
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <Button class="button primary" type="submit" label="Replace them" disabled={isBusy || file === null} />
          <Button label="Cancel" onClick={onClose} />
        </div>
      </form>
    </Dialog>
  )
}

/** Chooses a file of sites; one that was changed on the disk since is chosen again. */
function FileField({ onChoose }: { onChoose: (file: File | null) => void }) {
  return (
    <Field label="File: CSV or GeoJSON, up to 4 MB">
      <input
        type="file"
        accept=".csv,.geojson,.json,text/csv,application/geo+json"
        onClick={({ currentTarget }) => {
          currentTarget.value = ''
          onChoose(null)
        }}
        onChange={({ currentTarget }) => onChoose(currentTarget.files?.[0] ?? null)}
      />
    </Field>
  )
}

const EXAMPLE = `name,latitude,longitude,radius_km,reference
Depot Kaduna,10.52,7.44,25,KD-1
"Port, Apapa",6.45,3.36,5,`

export function FileFormat() {
  return (
    <>
      <p>
        A table as CSV, with this first line. The radius is in kilometres, up to 100; the reference is a number of your
        own, and may be left out. GeoJSON points with the same names as properties are read too.
      </p>
      <CodeBlock label="An example of a file" text={EXAMPLE} />
    </>
  )
}

/** The type of a file's content by its name; what is no table is GeoJSON. */
function contentTypeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  return /\.csv$/i.test(name) || type === 'text/csv' ? 'text/csv' : 'application/geo+json'
}

/** Proposes the name of a list from that of its file. */
function nameFromFile(fileName: string): string {
  const base = fileName.replace(/\.[^.]*$/, '').replaceAll(/[_-]+/g, ' ')
  return base.trim().slice(0, 100)
}

/** The sites whose name or reference has the text. */
export function sitesWith(sites: readonly Site[], text: string): readonly Site[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return sites
  return sites.filter(({ name, reference }) => `${name}\n${reference ?? ''}`.toLowerCase().includes(wanted))
}
