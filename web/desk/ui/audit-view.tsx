import { useState } from 'preact/hooks'
import { Button, Field, PageFoot, Table, usePages } from '../../shared/parts/controls.tsx'
import { momentText } from '../../shared/text.ts'
import { openReport } from '../report.ts'
import { view } from '../view.ts'
import { fieldWords, valueWords } from '../words.ts'

interface AuditEntry {
  readonly id: string
  readonly at: string
  readonly by: { readonly account_id: string | null; readonly name: string }
  readonly action: string
  readonly subject: string
  readonly note: string | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

export function AuditView() {
  const [filter, setFilter] = useState({ actor: '', incident: '', from: '', to: '' })
  const list = usePages<AuditEntry>('/v1/admin/audit', filter)
  const set = (name: keyof typeof filter) => (event: Event) =>
    setFilter({ ...filter, [name]: (event.currentTarget as HTMLInputElement).value.trim() })
  return (
    <main class="admin">
      <h1>Audit log</h1>
      <p class="quiet">Every step at the desk, sign-ins, and changes of roles and keys. Newest first.</p>
      <div class="fields admin-filter">
        <Field label="From">
          <input type="date" value={filter.from} onChange={set('from')} />
        </Field>
        <Field label="Before">
          <input type="date" value={filter.to} onChange={set('to')} />
        </Field>
        <Field label="Account">
          <input placeholder="acc_…" value={filter.actor} onChange={set('actor')} />
        </Field>
        <Field label="Incident">
          <input placeholder="inc_…" value={filter.incident} onChange={set('incident')} />
        </Field>
      </div>
      <Table columns={['When', 'Who', 'What', 'To', 'Change']}>
        {list.items.map((entry) => (
          <tr key={entry.id}>
            <td class="nowrap">{momentText(entry.at)}</td>
            <td>
              {entry.by.account_id === null ? (
                entry.by.name
              ) : (
                <Button
                  class="text-button"
                  label={entry.by.name}
                  title="Only what this account did"
                  onClick={() => setFilter({ ...filter, actor: entry.by.account_id! })}
                />
              )}
            </td>
            <td class="nowrap">{entry.action}</td>
            <td class="nowrap">
              <Subject id={entry.subject} />
            </td>
            <td>
              {entry.note !== null && <blockquote>{entry.note}</blockquote>}
              <Change entry={entry} />
            </td>
          </tr>
        ))}
      </Table>
      <PageFoot list={list} empty="Nothing matches." />
    </main>
  )
}

function Subject({ id }: { id: string }) {
  if (!id.startsWith('inc_')) return <code>{id.slice(0, 14)}…</code>
  const open = () => {
    openReport(id)
    view.set('queue')
  }
  return (
    <button type="button" class="text-button" title={id} onClick={open}>
      <code>{id.slice(0, 14)}…</code>
    </button>
  )
}

function Change({ entry: { before, after } }: { entry: AuditEntry }) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (fields.length === 0) return null
  return (
    <ul class="changes">
      {fields.map((field) => (
        <li key={field}>
          <span class="quiet">{fieldWords(field)}:</span> {before !== null && <del>{valueWords(before[field])}</del>}{' '}
          {after !== null && <ins>{valueWords(after[field])}</ins>}
        </li>
      ))}
    </ul>
  )
}
