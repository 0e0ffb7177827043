import { SEVERITIES, SEVERITY_DESCRIPTIONS, type Severity } from '../../../src/domain/taxonomy.ts'
import { Field, Select, typed } from '../../shared/parts/controls.tsx'
import type { ScheduleForm } from './watch.ts'

interface ScheduleFieldsProperties {
  readonly form: ScheduleForm
  /** Whether several messages become one. */
  readonly forPeople: boolean
  readonly onChange: (form: ScheduleForm) => void
}

const INTERVALS = { none: 'At once', hourly: 'Every hour', daily: 'Once a day' } as const
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour))

/** Sends messages at once or together, and not at night. */
export function ScheduleFields({ form, forPeople, onChange }: ScheduleFieldsProperties) {
  const change = (part: Partial<ScheduleForm>) => onChange({ ...form, ...part })
  return (
    <fieldset class="schedule">
      <legend>When to send</legend>
      <div class="fields">
        <Field label="Messages">
          <Select value={form.every} options={INTERVALS} onChoose={(every) => change({ every })} />
        </Field>
        {form.every === 'daily' && (
          <Field label="At, in Lagos">
            <Select
              value={String(form.hour)}
              options={HOURS}
              labelOf={(hour) => `${hour.padStart(2, '0')}:00`}
              onChoose={(value) => change({ hour: Number(value) })}
            />
          </Field>
        )}
        {form.every !== 'none' && (
          <SeverityField
            label="But at once"
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
            <input type="time" required {...typed(form.from, (from) => change({ from }))} />
          </Field>
          <Field label="Until">
            <input type="time" required {...typed(form.until, (until) => change({ until }))} />
          </Field>
          <SeverityField
            label="Broken by"
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
  readonly value: Severity | null
  readonly onChange: (severity: Severity | null) => void
}

function SeverityField({ label, value, onChange }: SeverityFieldProperties) {
  return (
    <Field label={label}>
      <Select
        value={value ?? ''}
        none="nothing"
        options={SEVERITIES}
        labelOf={(severity) =>
          severity === 'critical'
            ? SEVERITY_DESCRIPTIONS[severity].label
            : `${SEVERITY_DESCRIPTIONS[severity].label} or worse`
        }
        onChoose={(value) => onChange(SEVERITIES.find((each) => each === value) ?? null)}
      />
    </Field>
  )
}
