import { Field } from '../../shared/parts/field.tsx'
import type { WatchEntry } from '../watches/types.ts'
import { FILTER_CHOICES, type FilterName, type LogFilter } from './log-filter.ts'

const LABELS = { status: 'Status', event: 'Event', since: 'When' } as const

interface LogFiltersProperties {
  readonly filter: LogFilter
  readonly watches: readonly WatchEntry[]
  readonly onChange: (filter: LogFilter) => void
}

export function LogFilters({ filter, watches, onChange }: LogFiltersProperties) {
  const change = (name: FilterName, value: string) => {
    const { [name]: _, ...rest } = filter
    onChange(value === '' ? rest : { ...rest, [name]: value })
  }
  return (
    <div class="fields log-filters">
      <Field label="Watch">
        <select value={filter.watch ?? ''} onChange={({ currentTarget }) => change('watch', currentTarget.value)}>
          <option value="">All</option>
          {watches.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {filter.watch !== undefined && !watches.some(({ id }) => id === filter.watch) && (
            <option value={filter.watch}>{filter.watch}</option>
          )}
        </select>
      </Field>
      {(Object.keys(LABELS) as (keyof typeof LABELS)[]).map((name) => (
        <Field key={name} label={LABELS[name]}>
          <select value={filter[name] ?? ''} onChange={({ currentTarget }) => change(name, currentTarget.value)}>
            {Object.entries(FILTER_CHOICES[name]).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </Field>
      ))}
      <Field label="Incident">
        <input
          placeholder="inc_…"
          value={filter.incident ?? ''}
          onChange={({ currentTarget }) => change('incident', currentTarget.value.trim())}
        />
      </Field>
    </div>
  )
}
