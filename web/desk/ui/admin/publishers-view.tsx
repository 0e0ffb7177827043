import { useEffect, useState } from 'preact/hooks'
import {
  SOURCE_CLASS_DESCRIPTIONS,
  SOURCE_CLASSES,
  SOURCE_WEIGHTS,
  type SourceClass,
} from '../../../../src/domain/publishers.ts'
import { dayText } from '../../../shared/format.ts'
import { Field } from '../../../shared/parts/field.tsx'
import { Table } from '../../../shared/parts/table.tsx'
import { useStore } from '../../../shared/store.ts'
import { showRefusal } from '../../decisions/show-refusal.ts'
import { classifyPublisher, publisherEntries, readPublishers, removePublisher } from '../../report/publishers.ts'

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
