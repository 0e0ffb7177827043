import { useEffect, useMemo, useState } from 'preact/hooks'
import {
  type Reliability,
  reliabilityFrom,
  SOURCE_CLASS_DESCRIPTIONS,
  SOURCE_CLASSES,
  SOURCE_WEIGHTS,
  type SourceClass,
} from '../../../src/domain/publishers.ts'
import { Field, Table } from '../../shared/parts/controls.tsx'
import { request } from '../../shared/parts/request.ts'
import { createStore, useStore } from '../../shared/store.ts'
import { dayText } from '../../shared/text.ts'
import { hasScope } from '../person.ts'
import { showRefusal, showToast } from '../toasts.tsx'

/** The operator's own classes of publishers, which override the built-in table. */
export function PublishersView() {
  const entries = useStore(publisherEntries)
  const [name, setName] = useState('')
  const [kind, setKind] = useState<SourceClass>('local')
  useEffect(() => {
    void showRefusal(readPublishers())
  }, [])
  const add = () => {
    void showRefusal(classifyPublisher(name.trim(), kind).then(() => setName('')))
  }
  return (
    <main class="admin">
      <h1>Publishers</h1>
      <p class="quiet">
        Your entries override the built-in table. They count for every confidence computed from now on; incidents keep
        theirs until their next change.
      </p>
      <form
        aria-label="Classify a publisher"
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <div class="fields">
          <Field label="Publisher">
            <input required maxLength={200} value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </Field>
          <Field label="Class">
            <ClassSelect value={kind} onChoose={setKind} />
          </Field>
          <button type="submit" class="button primary">
            Add
          </button>
        </div>
      </form>
      <Table columns={['Publisher', 'Class', 'Meaning', 'Since']} action="Remove">
        {entries?.map((entry) => (
          <tr key={entry.name}>
            <td>{entry.name}</td>
            <td>
              <ClassSelect
                value={entry.class}
                label={`Class of ${entry.name}`}
                onChoose={(next) => void showRefusal(classifyPublisher(entry.name, next))}
              />
            </td>
            <td class="quiet">
              {SOURCE_CLASS_DESCRIPTIONS[entry.class]}; weight {SOURCE_WEIGHTS[entry.class]}
            </td>
            <td class="nowrap">{dayText(entry.updated_at)}</td>
            <td>
              <button type="button" class="button small" onClick={() => void showRefusal(removePublisher(entry.name))}>
                Remove
              </button>
            </td>
          </tr>
        ))}
      </Table>
      {entries?.length === 0 && <p class="quiet">There is none yet: the built-in table decides.</p>}
    </main>
  )
}

function ClassSelect({
  value,
  label,
  onChoose,
}: {
  value: SourceClass
  label?: string
  onChoose: (kind: SourceClass) => void
}) {
  return (
    <select
      value={value}
      {...(label === undefined ? {} : { 'aria-label': label })}
      onChange={(event) => onChoose(event.currentTarget.value as SourceClass)}
    >
      {SOURCE_CLASSES.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  )
}

/**
 * The class of a publisher; an admin changes it here, for every confidence computed from then on.
 */
export function PublisherClass({ publisher }: { publisher: string }) {
  const entries = useStore(publisherEntries)
  const isAdmin = hasScope('admin')
  useEffect(() => {
    if (isAdmin && publisherEntries.get() === null) readPublishers().catch(report)
  }, [isAdmin])
  const kind = useMemo(() => reliabilityWith(entries)(publisher), [entries, publisher])
  if (!isAdmin)
    return (
      <span class="quiet" title={SOURCE_CLASS_DESCRIPTIONS[kind]}>
        {kind}
      </span>
    )
  const choose = (next: SourceClass) =>
    classifyPublisher(publisher, next).then(
      () => showToast('done', `${publisher} is ${next} from now on. Incidents keep theirs until their next change.`),
      report,
    )
  return (
    <select
      class="class-select"
      aria-label={`Class of ${publisher}`}
      title={SOURCE_CLASS_DESCRIPTIONS[kind]}
      value={kind}
      onChange={(event) => void choose(event.currentTarget.value as SourceClass)}
    >
      {SOURCE_CLASSES.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  )
}

function report(error: unknown): void {
  showToast('failed', error instanceof Error ? error.message : String(error))
}

export interface PublisherEntry {
  readonly name: string
  readonly class: SourceClass
  readonly updated_at: string
}

/** The operator's own entries; null until they were read, or without the right to read them. */
export const publisherEntries = createStore<readonly PublisherEntry[] | null>(null)

let isReading = false

export async function readPublishers(): Promise<void> {
  if (isReading) return
  isReading = true
  try {
    const { data } = await request<{ data: PublisherEntry[] }>('GET', '/v1/desk/publishers')
    publisherEntries.set(data)
  } finally {
    isReading = false
  }
}

/** Looks up classes as the service does: its own entries first, then the built-in table. */
export function reliabilityWith(entries: readonly PublisherEntry[] | null): Reliability {
  return reliabilityFrom((entries ?? []).map((entry) => [entry.name, entry.class] as const))
}

export async function classifyPublisher(name: string, kind: SourceClass): Promise<void> {
  await request('POST', '/v1/desk/publishers', { body: { name, class: kind } })
  await readPublishers()
}

export async function removePublisher(name: string): Promise<void> {
  await request('DELETE', `/v1/desk/publishers/${encodeURIComponent(name)}`)
  await readPublishers()
}
