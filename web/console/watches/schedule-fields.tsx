import { SEVERITIES, SEVERITY_DESCRIPTIONS, type Severity } from '../../../src/domain/taxonomy.ts'
import { Field } from '../../shared/parts/controls.tsx'
import type { ScheduleForm } from '../watches/schedule-form.ts'

interface ScheduleFieldsProperties {
  readonly form: ScheduleForm
  /** Whether several messages become one. */
  readonly forPeople: boolean
  readonly onChange: (form: ScheduleForm) => void
}

const INTERVALS = { none: 'At once', hourly: 'Every hour', daily: 'Once a day' } as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** When messages go out: at once or together, and not at night. */
export function ScheduleFields({ form, forPeople, onChange }: ScheduleFieldsProperties) {
  const change = (part: Partial<ScheduleForm>) => onChange({ ...form, ...part })
  return (
    <fieldset class="schedule">
      <legend>When to send</legend>
      <div class="fields">
        <Field label="Messages">
          <select
            value={form.every}
            onChange={({ currentTarget }) => change({ every: currentTarget.value as ScheduleForm['every'] })}
          >
            {Object.entries(INTERVALS).map(([every, words]) => (
              <option key={every} value={every}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        {form.every === 'daily' && (
          <Field label="At, in Lagos">
            <select value={form.hour} onChange={({ currentTarget }) => change({ hour: Number(currentTarget.value) })}>
              {HOURS.map((hour) => (
                <option key={hour} value={hour}>
                  {String(hour).padStart(2, '0')}:00
                </option>
              ))}
            </select>
          </Field>
        )}
        {form.every !== 'none' && (
          <SeverityField
            label="But at once"
            none="nothing"
            value={form.breakSeverity}
            onChange={(breakSeverity) => change({ breakSeverity })}
          />
        )}
      </div>
      <label class="check-line">
        <input
          type="checkbox"
          checked={form.isQuiet}
          onChange={({ currentTarget }) => change({ isQuiet: currentTarget.checked })}
        />
        Quiet hours
      </label>
      {form.isQuiet && (
        <div class="fields">
          <Field label="From, in Lagos">
            <input
              type="time"
              required
              value={form.from}
              onInput={({ currentTarget }) => change({ from: currentTarget.value })}
            />
          </Field>
          <Field label="Until">
            <input
              type="time"
              required
              value={form.until}
              onInput={({ currentTarget }) => change({ until: currentTarget.value })}
            />
          </Field>
          <SeverityField
            label="Broken by"
            none="nothing"
            value={form.quietBreakSeverity}
            onChange={(quietBreakSeverity) => change({ quietBreakSeverity })}
          />
        </div>
      )}
      {(form.every !== 'none' || form.isQuiet) && (
        <p class="quiet">
          {forPeople
            ? 'What waits goes out as one message. Corrections and withdrawals go the way of what they correct.'
            : 'What waits is sent later, one signed message for each event.'}
        </p>
      )}
    </fieldset>
  )
}

interface SeverityFieldProperties {
  readonly label: string
  readonly none: string
  readonly value: Severity | null
  readonly onChange: (severity: Severity | null) => void
}

function SeverityField({ label, none, value, onChange }: SeverityFieldProperties) {
  return (
    <Field label={label}>
      <select
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(SEVERITIES.find((each) => each === currentTarget.value) ?? null)}
      >
        <option value="">{none}</option>
        {SEVERITIES.map((severity) => (
          <option key={severity} value={severity}>
            {severity === 'critical'
              ? SEVERITY_DESCRIPTIONS[severity].label
              : `${SEVERITY_DESCRIPTIONS[severity].label} or worse`}
          </option>
        ))}
      </select>
    </Field>
  )
}
