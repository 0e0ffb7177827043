import { SEVERITIES, SEVERITY_DESCRIPTIONS, type Severity, TYPES } from '../../../../src/domain/taxonomy.ts'
import { SeverityDot } from '../../../shared/components/severity-dot.tsx'
import { numberText } from '../../../shared/format.ts'
import { useStore } from '../../../shared/store.ts'
import { type Bucket, type Statistics, useStatistics } from '../../data/statistics.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { filterCount, filterOf, NO_FILTERS, type View } from '../../view/view.ts'
import { FilterMenu } from './filter-menu.tsx'

/** The filters. Each option's count applies all other filters, but not its own. */
export function Filters() {
  const view = useStore(currentView)
  const { statistics } = useStatistics(countQuery('severity', view, { severities: [] }))
  const counts = new Map(statistics?.data.map((bucket) => [bucket.severity?.key, bucket.count]))
  const toggle = (severity: Severity) => changeView({ severities: toggled(view.severities, severity) })
  return (
    <div class="filters">
      <fieldset class="severities">
        <legend class="hidden">Severity</legend>
        {SEVERITIES.toReversed().map((severity) => (
          <button
            type="button"
            key={severity}
            class="severity"
            aria-pressed={view.severities.includes(severity)}
            title={SEVERITY_DESCRIPTIONS[severity].description}
            onClick={() => toggle(severity)}
          >
            <SeverityDot severity={severity} />
            <span>{SEVERITY_DESCRIPTIONS[severity].label}</span>
            <span class="figure">{statistics ? numberText(counts.get(severity) ?? 0) : '·'}</span>
          </button>
        ))}
      </fieldset>
      <div class="chips menus">
        <FilterMenu
          label="State"
          chosen={view.states}
          queries={[countQuery('state', view, { states: [], lgas: [] })]}
          optionsFrom={([counts]) =>
            bucketsOf(counts).map(({ state, count }) => ({ value: state!.key, label: state!.label, count }))
          }
          onChange={(states) => changeView({ states, lgas: [] })}
        />
        <FilterMenu
          label="LGA"
          chosen={view.lgas}
          queries={[countQuery('lga', view, { lgas: [] })]}
          optionsFrom={([counts]) =>
            bucketsOf(counts).flatMap(({ lga, count }) =>
              lga ? [{ value: lga.key, label: lga.label, hint: lga.state!, count }] : [],
            )
          }
          onChange={(lgas) => changeView({ lgas })}
        />
        <FilterMenu
          label="Type"
          chosen={view.types}
          queries={[countQuery('type', view, { types: [] })]}
          optionsFrom={([counts]) =>
            bucketsOf(counts).map(({ type, count }) => ({ value: type!.key, label: type!.label, count }))
          }
          labelOf={typeLabel}
          onChange={(types) => changeView({ types })}
        />
        <ConfidenceMenu view={view} />
        {(filterCount(view) > 0 || view.window !== null) && (
          <button type="button" class="chip clear" onClick={() => changeView(NO_FILTERS)}>
            Clear
          </button>
        )}
      </div>
    </div>
  )
}

const MIN_CONFIDENCES = ['0.5', '0.7', '0.9'] as const

function ConfidenceMenu({ view }: { view: View }) {
  const chosen = view.minConfidence === null ? [] : [view.minConfidence]
  return (
    <FilterMenu
      label="Confidence"
      chosen={chosen}
      single
      queries={MIN_CONFIDENCES.map((minConfidence) => countQuery('severity', view, { minConfidence }))}
      optionsFrom={(counts) =>
        MIN_CONFIDENCES.map((value, index) => ({
          value,
          label: confidenceLabel(value),
          count: counts[index]?.total.count ?? null,
        }))
      }
      labelOf={confidenceLabel}
      onChange={([minConfidence]) => changeView({ minConfidence: minConfidence ?? null })}
    />
  )
}

function confidenceLabel(value: string): string {
  return `${Math.round(Number(value) * 100)} % or more`
}

function typeLabel(value: string): string {
  return Object.hasOwn(TYPES, value) ? TYPES[value as keyof typeof TYPES].label : value
}

function bucketsOf(counts: Statistics | null | undefined): readonly Bucket[] {
  return counts?.data ?? []
}

function countQuery(group: string, view: View, changes: Partial<View>): string {
  const query = filterOf({ ...view, ...changes })
  query.set('group_by', group)
  return query.toString()
}

function toggled<Value>(values: readonly Value[], value: Value): Value[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
}
