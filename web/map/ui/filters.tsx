import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  CONFIDENCE_LEVELS,
  type IncidentType,
  LEVEL_THRESHOLDS,
  SEVERITIES,
  type Severity,
} from '../../../src/domain/taxonomy.ts'
import { Icon, SeverityDot } from '../../shared/components.tsx'
import { t } from '../../shared/language.ts'
import { useStore } from '../../shared/store.ts'
import { levelText, numberText, severityText, typeText } from '../../shared/text.ts'
import { queryApi } from '../api.ts'
import { retryDelay } from '../api-client.ts'
import { currentQuestion, visibleBox } from '../data/current-question.ts'
import { usePageState } from '../data/page-figures.ts'
import { usePlaceName } from '../data/place-names.ts'
import { listQuery, questionOf } from '../data/question.ts'
import { snapshot } from '../data/snapshot.ts'
import type { Bucket, Statistics } from '../data/statistics.ts'
import { serverNow } from '../initial-data.ts'
import { changeView, currentView } from '../view/current-view.ts'
import { type BoundingBox, filterCount, NO_FILTERS, type View } from '../view/view.ts'

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

/** A box hardly wider than this is one place: about 50 m. */
const POINT_DEGREES = 0.0005

/**
 * Names the part of the map that list and counts are restricted to; a click removes the
 * restriction.
 */
function BoxChip() {
  const { box } = useStore(currentView)
  const { figures } = usePageState()
  if (box === null) return null
  const count = numberText(figures?.total.count ?? 0)
  return (
    <button
      type="button"
      class="chip"
      data-on="true"
      title={t('filters.remove')}
      onClick={() => changeView({ box: null })}
    >
      {t(isPoint(box) ? 'filters.point' : 'filters.box', { count })}
      <Icon name="close" />
    </button>
  )
}

function isPoint([west, south, east, north]: BoundingBox): boolean {
  return east - west < POINT_DEGREES && north - south < POINT_DEGREES
}

interface FilterOption {
  readonly value: string
  readonly label: string
  /** Null until it has been loaded. */
  readonly count: number | null
  readonly hint?: string
}

interface FilterMenuProperties {
  readonly kind: 'state' | 'lga' | 'type' | 'confidence'
  readonly chosen: readonly string[]
  /** Whether only one value may be chosen. */
  readonly single?: boolean
  /** Queries of `/v1/stats` that count the options; their number never changes. */
  readonly queries: readonly string[]
  readonly optionsFrom: (counts: readonly (Statistics | null)[]) => readonly FilterOption[]
  /** Names a value that is no place. */
  readonly labelOf?: (value: string) => string
  readonly onChange: (values: string[]) => void
}

const SEARCH_FROM_OPTIONS = 12

/** A chip that opens a list of values with their counts, which are loaded once it is opened. */
function FilterMenu({ kind, chosen, single, queries, optionsFrom, labelOf, onChange }: FilterMenuProperties) {
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  // The number of queries never changes, so every render calls the same number of hooks.
  const results = queries.map((query) => useStatistics(open ? query : null))
  const error = results.find((result) => result.error !== null)?.error
  const counted = results.every(({ statistics }) => statistics !== null)

  // A layout effect listens from the first visible frame; a later one could miss a key.
  useLayoutEffect(() => {
    if (!open) return
    const closeOnOutside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    addEventListener('pointerdown', closeOnOutside)
    addEventListener('keydown', closeOnEscape)
    return () => {
      removeEventListener('pointerdown', closeOnOutside)
      removeEventListener('keydown', closeOnEscape)
    }
  }, [open])

  const all = optionsFrom(results.map(({ statistics }) => statistics))
  const label = t(`filters.${kind}`)
  const onlyPlace = chosen.length === 1 && labelOf === undefined ? chosen[0]! : null
  const placeName = usePlaceName(onlyPlace)
  // A code is never shown: it says nothing to a reader.
  const nameOf = (value: string) =>
    all.find((option) => option.value === value)?.label ??
    labelOf?.(value) ??
    (value === onlyPlace ? placeName : null) ??
    '…'
  const shown = all.filter((option) => option.label.toLowerCase().includes(search.trim().toLowerCase()))
  const missing = chosen.filter((value) => !all.some((option) => option.value === value))
  const rows = [
    ...missing.map((value): FilterOption => ({ value, label: nameOf(value), count: counted ? 0 : null })),
    ...shown,
  ]
  const choose = (value: string) => {
    if (single) return onChange(chosen.includes(value) ? [] : [value])
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  }
  const title =
    chosen.length === 0
      ? label
      : chosen.length === 1
        ? nameOf(chosen[0]!)
        : t(`filters.${kind}_chosen`, { count: chosen.length })
  return (
    <div class="menu" ref={box}>
      <button
        type="button"
        ref={button}
        class="chip"
        aria-expanded={open}
        aria-controls={id}
        data-on={chosen.length > 0}
        onClick={() => setOpen(!open)}
      >
        {title}
        <Icon name="down" />
      </button>
      <fieldset class="menu-box" id={id} hidden={!open}>
        <legend class="hidden">{label}</legend>
        {all.length > SEARCH_FROM_OPTIONS && (
          <input
            type="search"
            placeholder={t(`filters.find_${kind}`)}
            aria-label={t(`filters.find_${kind}`)}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        {open && !counted && !error && <p class="note">{t('filters.counting')}</p>}
        {error && <p class="note">{error}</p>}
        {counted && rows.length === 0 && <p class="note">{t('filters.nothing')}</p>}
        <div class="menu-rows">
          {rows.map((option) => (
            <label key={option.value} class="menu-row">
              <input
                type={single ? 'radio' : 'checkbox'}
                name={`${id}-choice`}
                checked={chosen.includes(option.value)}
                onChange={() => choose(option.value)}
              />
              <span>
                {option.label}
                {option.hint && <span class="quiet"> {option.hint}</span>}
              </span>
              <span class="count">{option.count === null ? '·' : numberText(option.count)}</span>
            </label>
          ))}
        </div>
        {chosen.length > 0 && (
          <button type="button" class="text-button" onClick={() => onChange([])}>
            {t(`filters.any_${kind}`)}
          </button>
        )}
      </fieldset>
    </div>
  )
}

interface StatisticsResult {
  /** Null until the counts of this very query have been loaded. */
  readonly statistics: Statistics | null
  readonly error: string | null
}

const DEBOUNCE_MS = 250
const NOTHING: StatisticsResult = { statistics: null, error: null }

/**
 * Counts incidents with `/v1/stats`, again whenever the page shows a later moment, and again after
 * a failure. A null query loads nothing.
 */
function useStatistics(query: string | null): StatisticsResult {
  const [result, setResult] = useState<StatisticsResult & { readonly query: string | null }>({ ...NOTHING, query })
  const position = useStore(snapshot).statistics?.position
  const { road, polygon } = useStore(currentQuestion)
  useEffect(() => {
    if (query === null) return
    const request = new AbortController()
    let attempt = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      try {
        const statistics = await queryApi<Statistics>(
          '/v1/stats',
          new URLSearchParams(query),
          { road, polygon },
          request.signal,
        )
        setResult({ statistics, error: null, query })
      } catch (error) {
        if (request.signal.aborted) return
        setResult({ statistics: null, error: (error as Error).message, query })
        timer = setTimeout(load, retryDelay(error, attempt++, Math.random))
      }
    }
    timer = setTimeout(load, DEBOUNCE_MS)
    return () => {
      request.abort()
      clearTimeout(timer)
    }
  }, [query, road, polygon, position])
  return result.query === query ? result : NOTHING
}
