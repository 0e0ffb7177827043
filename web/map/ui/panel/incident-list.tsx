import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { FIRST_IMPORT } from '../../../../src/domain/import-report.ts'
import type { Incident } from '../../../../src/domain/incident.ts'
import { AREA_PAGES_PATH } from '../../../../src/domain/places.ts'
import { trendText } from '../../../../src/i18n/texts.ts'
import { SeverityDot } from '../../../shared/components.tsx'
import { useClock } from '../../../shared/hooks.ts'
import { inLanguage, t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import {
  casualtiesText,
  confidenceText,
  incidentCountText,
  momentText,
  numberText,
  placeText,
  severityText,
} from '../../../shared/text.ts'
import { api } from '../../api.ts'
import { hoveredPoint } from '../../canvas/commands.ts'
import {
  type AreaTrend,
  chosenArea,
  STATE_CODE_LENGTH,
  type TrendsAnswer,
  trendIn,
  trendQuery,
} from '../../data/area-trend.ts'
import { arrivals, setListReader, showWaitingArrivals } from '../../data/arrivals.ts'
import { currentQuestion } from '../../data/current-question.ts'
import type { Figures } from '../../data/figures.ts'
import { usePageState } from '../../data/page-figures.ts'
import { usePlaceName } from '../../data/place-names.ts'
import { isArchiveEmpty, loadNextPage, retryNow, shownIncidents, snapshot } from '../../data/snapshot.ts'
import { initialData, serverNow } from '../../initial-data.ts'
import { changeView, currentView, openIncident } from '../../view/current-view.ts'
import { filterCount, NO_FILTERS } from '../../view/view.ts'
import { useRowLimit } from '../first-drawing.tsx'
import { eventAgeText, windowText } from '../time-text.ts'

/** The incidents that the map shows, newest first. */
export function IncidentList() {
  const current = useStore(snapshot)
  const { arrived, waiting } = useStore(arrivals)
  const { figures, figuresAreOld, listIsOld, loading, failure } = usePageState()
  const { incident: selectedId } = useStore(currentView)
  const time = useClock(serverNow)
  const rowLimit = useRowLimit()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => setListReader(() => isBeingRead(element.current)), [])
  const incidents = shownIncidents(current)
  const total = figuresAreOld ? undefined : figures?.total.count
  const isEmpty = isArchiveEmpty(current)
  const showWaiting = () => {
    showWaitingArrivals()
    scrollerOf(element.current)?.scrollTo({ top: 0 })
  }
  return (
    <div class="list" ref={element} data-query={current.list?.key} data-seq={current.list?.seq}>
      {isEmpty ? <EmptyArchive /> : <ListHead />}
      {initialData.corrections.map(({ given, readAs }) => (
        <p class="note warning" key={given}>
          {readAs === null ? t('filters.left_out', { given }) : t('filters.read_as', { given, name: readAs })}
        </p>
      ))}
      {failure !== null && <FailureNote message={failure.message} />}
      {waiting.size > 0 && (
        <button type="button" class="new-arrivals" onClick={showWaiting}>
          {t('panel.new_arrivals', { count: waiting.size })}
        </button>
      )}
      {!isEmpty &&
        incidents.length === 0 &&
        failure === null &&
        (loading || listIsOld ? <p class="empty">{t('panel.looking')}</p> : <NoMatches />)}
      <ol class="rows" aria-busy={loading || listIsOld} data-old={listIsOld}>
        {incidents.slice(0, rowLimit).map((incident) => (
          <IncidentRow
            key={incident.id}
            incident={incident}
            time={time}
            arrived={arrived.has(incident.id)}
            isSelected={selectedId === incident.id}
          />
        ))}
      </ol>
      {incidents.length > 0 && total !== undefined && !listIsOld && (
        <p class="quiet showing">
          {t('panel.showing', { count: numberText(incidents.length), total: numberText(total) })}
        </p>
      )}
      {current.list?.nextCursor != null && incidents.length > 0 && (
        <button type="button" class="more" disabled={loading} onClick={() => void loadNextPage()}>
          {loading ? t('common.loading') : t('panel.show_more')}
        </button>
      )}
    </div>
  )
}

function scrollerOf(list: HTMLElement | null): Element | null {
  return list?.closest('.panel-scroll, .sheet-body') ?? null
}

/** A list that is scrolled, under a pointer, focused, or open on a phone must not move. */
function isBeingRead(list: HTMLElement | null): boolean {
  if (list === null) return false
  const rows = list.querySelector('.rows')!
  const isScrolled = (scrollerOf(list)?.scrollTop ?? 0) > 0
  const isUnderFinger = list.closest('.sheet:not(.peek)') !== null
  return isScrolled || isUnderFinger || rows.matches(':hover') || rows.contains(document.activeElement)
}

/** Says how many incidents the list has, in which time and which part of the map. */
function ListHead() {
  const { box: chosenBox } = useStore(currentView)
  const { figures, figuresAreOld, loading } = usePageState()
  const now = useClock(serverNow)
  const box = figures?.question.box ?? null
  return (
    <div class="list-head" aria-busy={loading || figuresAreOld} data-old={figures !== null && figuresAreOld}>
      <h1>
        {figures === null
          ? t('panel.counting')
          : t('panel.headline', {
              incidents: incidentCountText(figures.total.count),
              window: windowText(figures.question.window, now),
            })}
      </h1>
      {figures !== null && <CasualtyTotals figures={figures.total} />}
      <ChosenArea />
      {box !== null && (
        <p class="quiet list-area">
          {t(chosenBox === null ? 'panel.in_view' : 'panel.in_box')}{' '}
          <button type="button" class="text-button" onClick={() => changeView({ camera: null, box: null })}>
            {t('panel.all_of_nigeria')}
          </button>
        </p>
      )}
    </div>
  )
}

/** Compares the one state or LGA of the list with the usual, and leads to its page. */
function ChosenArea() {
  const chosen = chosenArea(useStore(currentView))
  const name = usePlaceName(chosen)
  const trend = useAreaTrend()
  if (chosen === null || name === null) return null
  const state = chosen.slice(0, STATE_CODE_LENGTH)
  // The server finds the page by codes as well.
  const path = `${AREA_PAGES_PATH}/${state}${chosen === state ? '' : `/${chosen}`}`
  return (
    <p class="list-area">
      {trend !== null && (
        <>
          {name}: {trendText(trend, t)} {trend.isHigher && <strong>{t('areas.trend_higher')}</strong>}{' '}
        </>
      )}
      <a href={inLanguage(path)}>{t('areas.more_about', { place: name })}</a>
    </p>
  )
}

function CasualtyTotals({ figures: { killed, injured, abducted } }: { figures: Figures }) {
  const parts = [
    killed !== null && t('common.killed', { count: numberText(killed) }),
    injured !== null && t('common.injured', { count: numberText(injured) }),
    abducted !== null && t('common.abducted', { count: numberText(abducted) }),
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  return (
    <p class="casualty-totals" title={t('panel.casualties_basis')}>
      {parts.join(' · ')}
    </p>
  )
}

interface IncidentRowProperties {
  readonly incident: Incident
  readonly time: number
  /** Whether it was published while the page was open. */
  readonly arrived: boolean
  readonly isSelected: boolean
}

/** Drawn again only if it changes: most rows stay as they are when an incident arrives. */
function IncidentRow(properties: IncidentRowProperties) {
  const { incident, time, arrived, isSelected } = properties
  return useMemo(() => <Row {...properties} />, [incident, time, arrived, isSelected])
}

function Row({ incident, time, arrived, isSelected }: IncidentRowProperties) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    openIncident(incident.id)
  }
  const hover = () => hoveredPoint.set(incident)
  const unhover = () => hoveredPoint.set(null)
  const { killed, injured, abducted } = incident.casualties
  const hasCasualties = Boolean(killed || injured || abducted)
  return (
    <li>
      <a
        class={arrived ? 'row fresh' : 'row'}
        id={`row-${incident.id}`}
        href={`/incidents/${incident.id}`}
        aria-current={isSelected}
        onClick={open}
        onMouseEnter={hover}
        onMouseLeave={unhover}
        onFocus={hover}
        onBlur={unhover}
      >
        <SeverityDot severity={incident.severity} />
        <span class="row-summary">{incident.summary}</span>
        <span class="row-meta">
          <span class="hidden">{t('panel.severity_prefix', { severity: severityText(incident.severity) })} </span>
          {placeText(incident)} ·{' '}
          <time
            dateTime={incident.occurred_at}
            title={t('panel.published', { age: momentText(incident.published_at!) })}
          >
            {eventAgeText(incident, time)}
          </time>{' '}
          · <span class="together">{confidenceText(incident.confidence)}</span>
        </span>
        {hasCasualties && <span class="row-casualties">{casualtiesText(incident.casualties, 'known')}</span>}
      </a>
    </li>
  )
}

/** Says that the list is empty, and offers what might help. */
function NoMatches() {
  const view = useStore(currentView)
  const { box, window } = useStore(currentQuestion)
  const now = useClock(serverNow)
  const isFiltered = filterCount(view) > 0 || view.window !== null
  return (
    <div class="empty">
      <p>{box === null ? t('panel.none_in_window', { window: windowText(window, now) }) : t('panel.none_here')}</p>
      {isFiltered && (
        <button type="button" class="button" onClick={() => changeView(NO_FILTERS)}>
          {t('panel.clear_filters')}
        </button>
      )}
      {box !== null && (
        <button type="button" class="button" onClick={() => changeView({ camera: null, box: null })}>
          {t('panel.show_all_of_nigeria')}
        </button>
      )}
      {!isFiltered && box === null && view.period !== 'all' && (
        <button type="button" class="button" onClick={() => changeView({ period: 'all' })}>
          {t('panel.show_all_years')}
        </button>
      )}
    </div>
  )
}

/**
 * Says what failed and how old what is shown is, with a button for those who do not want to wait.
 */
export function FailureNote({ message }: { message: string }) {
  const { loading, currentAt } = useStore(snapshot)
  return (
    <div class="note warning failure" role="alert">
      <p>
        {message} {t('panel.as_of', { time: momentText(currentAt) })}
      </p>
      <button type="button" class="button" disabled={loading} onClick={retryNow}>
        {loading ? t('common.loading') : t('common.retry')}
      </button>
    </div>
  )
}

/** Stands where the list will be while the service has not published anything. */
function EmptyArchive() {
  return (
    <div class="empty-archive">
      <h1>{t('page.empty_title')}</h1>
      <p>{t('page.empty_what')}</p>
      <h2>{t('page.empty_operator')}</h2>
      <ol>
        <li>
          {t('page.empty_import')} <code>{FIRST_IMPORT}</code>
        </li>
        <li>
          <a href="/desk">{t('page.empty_desk')}</a>
        </li>
        <li>
          <a href="/console">{t('page.empty_console')}</a>
        </li>
      </ol>
    </div>
  )
}

/** After list, counts and the first tiles, which readers look at first. */
const DELAY_MS = 1500

/**
 * Compares the chosen state or LGA with the usual; null if that is not known. It is asked for
 * late, and again whenever the page shows a later moment.
 */
function useAreaTrend(): AreaTrend | null {
  const query = trendQuery(useStore(currentView))?.toString() ?? null
  const position = useStore(snapshot).statistics?.position
  const [result, setResult] = useState<{ readonly query: string; readonly trend: AreaTrend | null } | null>(null)
  useEffect(() => {
    if (query === null || position === undefined) return
    const request = new AbortController()
    const load = async () => {
      try {
        const answer = await api.getJson<TrendsAnswer>('/v1/trends', new URLSearchParams(query), request.signal)
        setResult({ query, trend: trendIn(answer) })
      } catch (error) {
        if (!request.signal.aborted) console.warn('The trend could not be loaded; the next event asks again:', error)
      }
    }
    const timer = setTimeout(load, DELAY_MS)
    return () => {
      request.abort()
      clearTimeout(timer)
    }
  }, [query, position])
  return result !== null && result.query === query ? result.trend : null
}
