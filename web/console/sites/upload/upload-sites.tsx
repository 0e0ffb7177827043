import { useState } from 'preact/hooks'
import { Field } from '../../../shared/parts/field.tsx'
import { request } from '../../../shared/parts/request.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useAction } from '../../parts/use-action.ts'
import { readPerson } from '../../person.ts'
import { show } from '../../view.ts'
import { contentTypeOf, nameFromFile, type SiteList } from '../site-list.ts'
import { FileField } from './file-field.tsx'
import { FileFormat } from './file-format.tsx'

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
              <input
                required
                maxLength={100}
                placeholder="Depots"
                value={name}
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
            </Field>
          </div>
        </section>
        <div class="panel save-line">
          <FailureNote failure={failure} />
          <div class="row-of-buttons">
            <button type="submit" class="button primary" disabled={isBusy || file === null}>
              {isBusy ? 'Uploading' : 'Upload'}
            </button>
            <button type="button" class="button" onClick={() => show('sites')}>
              Cancel
            </button>
            {file === null && <span class="quiet">Choose a file first.</span>}
          </div>
        </div>
      </form>
    </>
  )
}
