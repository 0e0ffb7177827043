import { useEffect, useMemo, useState } from 'preact/hooks'
import {
  reliabilityFrom,
  SOURCE_CLASS_DESCRIPTIONS,
  SOURCE_CLASSES,
  SOURCE_WEIGHTS,
  type SourceClass,
} from '../../../src/domain/confidence.ts'
import { Button, Field, Select, submits, Table, typed } from '../../shared/parts/controls.tsx'
import { request } from '../../shared/parts/request.ts'
import { createStore, useStore } from '../../shared/store.ts'
import { dayText } from '../../shared/text.ts'
import { hasScope } from '../person.ts'
import { showRefusal, showToast } from '../toasts.tsx'

interface PublisherEntry {
  readonly name: string
  readonly class: SourceClass
  readonly updated_at: string
}

/** The operator's own entries; null until they were read, or without the right to read them. */
const publisherEntries = createStore<readonly PublisherEntry[] | null>(null)

let isReading = false

async function readPublishers(): Promise<void> {
  if (isReading) return
  isReading = true
  try {
    const { data } = await request<{ data: PublisherEntry[] }>('GET', '/v1/desk/publishers')
    publisherEntries.set(data)
  } finally {
    isReading = false
  }
}

async function classifyPublisher(name: string, kind: SourceClass): Promise<void> {
  await request('POST', '/v1/desk/publishers', { body: { name, class: kind } })
  await readPublishers()
}

async function removePublisher(name: string): Promise<void> {
  await request('DELETE', `/v1/desk/publishers/${encodeURIComponent(name)}`)
  await readPublishers()
}

/** The operator's own classes of publishers, which override the built-in table. */
export function PublishersView() {
  const entries = useStore(publisherEntries)
  const [name, setName] = useState('')
  const [kind, setKind] = useState<SourceClass>('local')
  useEffect(() => {
    void showRefusal(readPublishers())
  }, [])
  const add = () => showRefusal(classifyPublisher(name.trim(), kind).then(() => setName('')))
  return (
    <main class="admin">
      <h1>Publishers</h1>
      <p class="quiet">
        Your entries override the built-in table. They count for every confidence computed from now on; incidents keep
        theirs until their next change.
      </p>
      <form aria-label="Classify a publisher" onSubmit={submits(add)}>
        <div class="fields">
          <Field label="Publisher">
            <input required maxLength={200} {...typed(name, setName)} />
          </Field>
          <Field label="Class">
            <Select value={kind} options={SOURCE_CLASSES} onChoose={setKind} />
          </Field>
          <Button class="button primary" type="submit" label="Add" />
        </div>
      </form>
      <Table columns={['Publisher', 'Class', 'Meaning', 'Since']} action="Remove">
        {entries?.map((entry) => (
          <tr key={entry.name}>
            <td>{entry.name}</td>
            <td>
              <Select
                aria-label={`Class of ${entry.name}`}
                value={entry.class}
                options={SOURCE_CLASSES}
                onChoose={(next) => void showRefusal(classifyPublisher(entry.name, next))}
              />
            </td>
            <td class="quiet">
              {SOURCE_CLASS_DESCRIPTIONS[entry.class]}; weight {SOURCE_WEIGHTS[entry.class]}
            </td>
            <td class="nowrap">{dayText(entry.updated_at)}</td>
            <td>
              <Button
                class="button small"
                label="Remove"
                onClick={() => void showRefusal(removePublisher(entry.name))}
              />
            </td>
          </tr>
        ))}
      </Table>
      {entries?.length === 0 && <p class="quiet">There is none yet: the built-in table decides.</p>}
    </main>
  )
}

/**
 * The class of a publisher; an admin changes it here, for every confidence computed from then on.
 */
export function PublisherClass({ publisher }: { publisher: string }) {
  const entries = useStore(publisherEntries)
  const isAdmin = hasScope('admin')
  useEffect(() => {
    if (isAdmin && publisherEntries.get() === null) void showRefusal(readPublishers())
  }, [isAdmin])
  // As the service looks it up: its own entries first, then the built-in table.
  const kind = useMemo(
    () => reliabilityFrom((entries ?? []).map((entry) => [entry.name, entry.class] as const))(publisher),
    [entries, publisher],
  )
  if (!isAdmin)
    return (
      <span class="quiet" title={SOURCE_CLASS_DESCRIPTIONS[kind]}>
        {kind}
      </span>
    )
  const choose = (next: SourceClass) =>
    showRefusal(
      classifyPublisher(publisher, next).then(() =>
        showToast('done', `${publisher} is ${next} from now on. Incidents keep theirs until their next change.`),
      ),
    )
  return (
    <Select
      class="class-select"
      aria-label={`Class of ${publisher}`}
      title={SOURCE_CLASS_DESCRIPTIONS[kind]}
      value={kind}
      options={SOURCE_CLASSES}
      onChoose={(value) => void choose(value)}
    />
  )
}
