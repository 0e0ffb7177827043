import { useId, useState } from 'preact/hooks'
import type { ListLgasAnswer, ListStatesAnswer } from '../../../client/src/generated/types.ts'
import { CATEGORY_NAMES, SEVERITIES, SEVERITY_DESCRIPTIONS, TYPE_NAMES } from '../../../src/domain/taxonomy.ts'
import { Icon } from '../../shared/components.tsx'
import { Field, Select } from '../../shared/parts/controls.tsx'
import { useLoaded } from '../actions.ts'
import { categoryLabel, type FilterForm, typeLabel } from './filter-form.ts'

const CONFIDENCES = { '': 'Any', '0.4': 'From 40 %', '0.6': 'From 60 %', '0.8': 'From 80 %' } as const
const TYPE_SUGGESTIONS = TYPE_NAMES.map((value) => ({ value, label: typeLabel(value) }))
const CATEGORY_SUGGESTIONS = CATEGORY_NAMES.map((value) => ({ value, label: categoryLabel(value) }))

export function FilterFields({ form, onChange }: { form: FilterForm; onChange: (form: FilterForm) => void }) {
  const states = useLoaded<ListStatesAnswer>('/v1/places/states')
  const lgas = useLoaded<ListLgasAnswer>(
    form.state.length === 1 ? `/v1/places/lgas?state=${encodeURIComponent(form.state[0]!)}` : null,
  )
  const change = (part: Partial<FilterForm>) => onChange({ ...form, ...part })
  const confidences = Object.hasOwn(CONFIDENCES, form.minConfidence)
    ? CONFIDENCES
    : { ...CONFIDENCES, [form.minConfidence]: `From ${form.minConfidence}` }
  return (
    <div class="fields">
      <ChipsField
        label="Categories"
        chosen={form.category}
        suggestions={CATEGORY_SUGGESTIONS}
        onChange={(category) => change({ category })}
      />
      <ChipsField
        label="Types"
        chosen={form.type}
        suggestions={TYPE_SUGGESTIONS}
        onChange={(type) => change({ type })}
      />
      <ChipsField
        label="States"
        chosen={form.state}
        suggestions={suggestionsOf(states.body)}
        onChange={(state) => change({ state })}
      />
      <ChipsField
        label="LGAs"
        chosen={form.lga}
        suggestions={suggestionsOf(lgas.body)}
        onChange={(lga) => change({ lga })}
      />
      <Field label="Severity">
        <Select
          value={form.minSeverity}
          none="Any"
          options={SEVERITIES}
          labelOf={(severity) =>
            `${SEVERITY_DESCRIPTIONS[severity].label}${severity === 'critical' ? '' : ' or worse'}`
          }
          onChoose={(minSeverity) => change({ minSeverity })}
        />
      </Field>
      <Field label="Confidence">
        <Select
          value={form.minConfidence}
          options={confidences}
          onChoose={(minConfidence) => change({ minConfidence })}
        />
      </Field>
      <ChipsField
        label="Only these incidents, by id"
        wide
        chosen={form.incident}
        suggestions={[]}
        onChange={(incident) => change({ incident: incident.map(incidentIdIn) })}
      />
    </div>
  )
}

/** Of an address that was pasted, the id in it. */
function incidentIdIn(text: string): string {
  return /inc_\w+/.exec(text)?.[0] ?? text
}

function suggestionsOf(body: ListStatesAnswer | null): Suggestion[] {
  return (body?.data ?? []).map(({ name }) => ({ value: name, label: name }))
}

interface Suggestion {
  readonly value: string
  readonly label: string
}

interface ChipsFieldProperties {
  readonly label: string
  readonly chosen: readonly string[]
  readonly suggestions: readonly Suggestion[]
  readonly placeholder?: string
  /** For long values, such as ids. */
  readonly wide?: boolean
  readonly onChange: (chosen: readonly string[]) => void
}

/** Several values, each chosen from suggestions or typed; the API says if it knows none such. */
function ChipsField({ label, chosen, suggestions, placeholder = 'any', wide = false, onChange }: ChipsFieldProperties) {
  const [text, setText] = useState('')
  const id = useId()
  const labelOf = (value: string) => suggestions.find((each) => each.value === value)?.label ?? value
  const add = (typed: string) => {
    const wanted = typed.trim()
    setText('')
    if (wanted === '') return
    const known = suggestions.find(({ label: name }) => name.toLowerCase() === wanted.toLowerCase())
    const value = known?.value ?? wanted
    if (!chosen.includes(value)) onChange([...chosen, value])
  }
  return (
    <div class={wide ? 'field chips-field wide' : 'field chips-field'}>
      <label for={id}>{label}</label>
      <div class="chips">
        {chosen.map((value) => (
          <span key={value} class="chip">
            {labelOf(value)}
            <button
              type="button"
              class="icon-button small"
              onClick={() => onChange(chosen.filter((each) => each !== value))}
            >
              <Icon name="close" />
              <span class="hidden">
                Remove {labelOf(value)} from {label}
              </span>
            </button>
          </span>
        ))}
        <input
          id={id}
          list={`${id}-list`}
          placeholder={chosen.length === 0 ? placeholder : 'or'}
          value={text}
          onInput={({ currentTarget }) => {
            const isWhole = suggestions.some((each) => each.label === currentTarget.value)
            if (isWhole) add(currentTarget.value)
            else setText(currentTarget.value)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || text === '') return
            event.preventDefault()
            add(text)
          }}
          onBlur={() => add(text)}
        />
        <datalist id={`${id}-list`}>
          {suggestions
            .filter(({ value }) => !chosen.includes(value))
            .map(({ value, label: name }) => (
              <option key={value} value={name} />
            ))}
        </datalist>
      </div>
    </div>
  )
}
