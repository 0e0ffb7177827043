import { CATEGORY_NAMES, SEVERITIES, SEVERITY_DESCRIPTIONS, TYPE_NAMES } from '../../../src/domain/taxonomy.ts'
import { Field } from '../../shared/parts/field.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { ChipsField, type Suggestion } from './chips-field.tsx'
import type { FilterForm } from './filter-form.ts'
import { categoryLabel, typeLabel } from './filter-text.ts'

const CONFIDENCES = { '': 'Any', '0.4': 'From 40 %', '0.6': 'From 60 %', '0.8': 'From 80 %' } as const
const TYPE_SUGGESTIONS = TYPE_NAMES.map((value) => ({ value, label: typeLabel(value) }))
const CATEGORY_SUGGESTIONS = CATEGORY_NAMES.map((value) => ({ value, label: categoryLabel(value) }))

interface Named {
  readonly data: readonly { readonly name: string }[]
}

/** What happened, how bad, how sure, and in which states. */
export function FilterFields({ form, onChange }: { form: FilterForm; onChange: (form: FilterForm) => void }) {
  const states = useLoaded<Named>('/v1/places/states')
  const lgas = useLoaded<Named>(
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
        <select
          value={form.minSeverity}
          onChange={({ currentTarget }) => change({ minSeverity: currentTarget.value as FilterForm['minSeverity'] })}
        >
          <option value="">Any</option>
          {SEVERITIES.map((severity) => (
            <option key={severity} value={severity}>
              {SEVERITY_DESCRIPTIONS[severity].label}
              {severity === 'critical' ? '' : ' or worse'}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Confidence">
        <select
          value={form.minConfidence}
          onChange={({ currentTarget }) => change({ minConfidence: currentTarget.value })}
        >
          {Object.entries(confidences).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
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

function suggestionsOf(body: Named | null): Suggestion[] {
  return (body?.data ?? []).map(({ name }) => ({ value: name, label: name }))
}
