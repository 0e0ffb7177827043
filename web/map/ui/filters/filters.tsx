import { CONFIDENCE_LEVELS, LEVEL_THRESHOLDS } from '../../../../src/domain/confidence.ts'
import { type IncidentType, SEVERITIES, type Severity } from '../../../../src/domain/taxonomy.ts'
import { SeverityDot } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { levelText, numberText, severityText, typeText } from '../../../shared/text.ts'
import { usePageState } from '../../data/figures/page-figures.ts'
import { currentQuestion } from '../../data/question/current-question.ts'
import { listQuery, questionOf } from '../../data/question/question.ts'
import { visibleBox } from '../../data/question/visible-box.ts'
import type { Bucket, Statistics } from '../../data/statistics.ts'
import { serverNow } from '../../initial-data.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { filterCount, NO_FILTERS, type View } from '../../view/view.ts'
import { BoxChip } from './box-chip.tsx'
import { FilterMenu } from './filter-menu.tsx'

/** The filters. Each option's count applies all other filters, but not its own. */
export function Filters() {
  const view = useStore(currentView)
  useStore(currentQuestion)
  const { figures, figuresAreOld, loading } = usePageState()
  const toggle = (severity: Severity) => changeView({ severities: toggled(view.severities, severity) })
  return (
    <div class="filters">
      <fieldset class="severities" aria-busy={loading || figuresAreOld} data-old={figures !== null && figuresAreOld}>
        <legend class="hidden">{t('filters.severity')}</legend>
        {SEVERITIES.toReversed().map((severity) => (
          <button
            type="button"
            key={severity}
            class="severity"
            aria-pressed={view.severities.includes(severity)}
            title={t(`common.severity_${severity}_meaning`)}
            onClick={() => toggle(severity)}
          >
            <SeverityDot severity={severity} />
            <span>{severityText(severity)}</span>
            <span class="figure">{figures ? numberText(figures.bySeverity[severity].count) : '·'}</span>
          </button>
        ))}
      </fieldset>
      <div class="chips menus">
        <BoxChip />
        <FilterMenu
          kind="state"
          chosen={view.states}
          queries={[countQuery('state', view, { states: [], lgas: [] })]}
          optionsFrom={([counts]) =>
            bucketsOf(counts).map(({ state, count }) => ({ value: state!.key, label: state!.label, count }))
          }
          onChange={(states) => changeView({ states, lgas: [] })}
        />
        <FilterMenu
          kind="lga"
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
          kind="type"
          chosen={view.types}
          queries={[countQuery('type', view, { types: [] })]}
          optionsFrom={([counts]) =>
            bucketsOf(counts).map(({ type, count }) => ({ value: type!.key, label: typeLabel(type!.key), count }))
          }
          labelOf={typeLabel}
          onChange={(types) => changeView({ types })}
        />
        <ConfidenceMenu view={view} />
        {(filterCount(view) > 0 || view.window !== null) && (
          <button type="button" class="chip clear" onClick={() => changeView(NO_FILTERS)}>
            {t('filters.clear')}
          </button>
        )}
      </div>
    </div>
  )
}

/** The lowest level is no filter. */
const LEVELS = CONFIDENCE_LEVELS.slice(1).map((level) => ({ level, value: String(LEVEL_THRESHOLDS[level]) }))

function ConfidenceMenu({ view }: { view: View }) {
  const chosen = view.minConfidence === null ? [] : [view.minConfidence]
  return (
    <FilterMenu
      kind="confidence"
      chosen={chosen}
      single
      queries={LEVELS.map(({ value }) => countQuery('severity', view, { minConfidence: value }))}
      optionsFrom={(counts) =>
        LEVELS.map(({ value }, index) => ({
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
  const index = LEVELS.findIndex((one) => Number(one.value) === Number(value))
  if (index < 0) return t('filters.at_least_points', { count: Math.round(Number(value) * 100) })
  const name = levelText(LEVELS[index]!.level)
  return index === LEVELS.length - 1 ? name : t('filters.at_least', { level: name })
}

function typeLabel(value: string): string {
  return typeText(value as IncidentType)
}

function bucketsOf(counts: Statistics | null | undefined): readonly Bucket[] {
  return counts?.data ?? []
}

/** Counts in the window and the box of everything else on the page. */
function countQuery(group: string, view: View, changes: Partial<View>): string {
  const question = questionOf({ ...view, ...changes }, visibleBox.get(), serverNow(), currentQuestion.get())
  const query = listQuery(question)
  query.set('group_by', group)
  return query.toString()
}

function toggled<Value>(values: readonly Value[], value: Value): Value[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
}
