import { LANGUAGE_CODES, LANGUAGES, type Language } from '../../../src/domain/languages.ts'
import { MAP_PERIOD_NAMES } from '../../../src/filter/map-periods.ts'
import { Icon } from '../../shared/components.tsx'
import { useClock } from '../../shared/hooks.ts'
import { chooseLanguage, currentLanguage, t } from '../../shared/language.ts'
import { useStore } from '../../shared/store.ts'
import { ago } from '../../shared/text.ts'
import { mapTiles, zoomBy } from '../canvas/commands.ts'
import { snapshot } from '../data/snapshot.ts'
import { serverNow } from '../initial-data.ts'
import { feedStatus } from '../live/feed.ts'
import type { Freshness } from '../live/freshness.ts'
import { changeView, currentView } from '../view/current-view.ts'
import { LAYERS } from '../view/view.ts'

const WORDS = {
  live: ['map.live', 'map.live_title'],
  behind: ['map.behind', 'map.behind_title'],
  offline: ['map.offline_pill', 'map.offline_title'],
} as const

/** Shows how current the page is, and the age of the newest incident. */
export function LivePill() {
  const { newestAt } = useStore(feedStatus)
  const freshness = usePageFreshness()
  const time = useClock(serverNow)
  const [label, title] = WORDS[freshness]
  return (
    <span class={`pill live-pill ${freshness}`} title={t(title)}>
      <span class="live-dot" />
      <strong>{t(label)}</strong>
      <span class="live-age">
        {newestAt === null ? t('map.nothing_yet') : t('map.newest', { age: ago(newestAt, time) })}
      </span>
    </span>
  )
}

/**
 * A slow connection may take this long to load list and counts before the page counts as behind.
 */
const MAX_LOADING_MS = 20_000

/**
 * Says how current what the page shows is. A working stream is not enough: list, counts and marks
 * must have been loaded too.
 */
function usePageFreshness(): Freshness {
  const { freshness } = useStore(feedStatus)
  const { failure, loading, currentAt } = useStore(snapshot)
  const tiles = useStore(mapTiles)
  if (freshness !== 'live') return freshness
  const isLate = loading && serverNow() - currentAt > MAX_LOADING_MS
  return failure !== null || isLate || tiles === 'failed' ? 'behind' : 'live'
}

export function LayerSwitch() {
  const { layer } = useStore(currentView)
  return (
    <Segments
      name="layer"
      legend={t('map.layer')}
      choices={LAYERS.map((name) => [name, t(`map.layer_${name}`)])}
      chosen={layer}
      onChoose={(name) => changeView({ layer: name })}
    />
  )
}

export function PeriodSwitch() {
  const { period } = useStore(currentView)
  return (
    <Segments
      name="span"
      legend={t('map.span')}
      choices={MAP_PERIOD_NAMES.map((name) => [name, t(`map.span_${name}`)])}
      chosen={period}
      onChoose={(name) => changeView({ period: name, window: null })}
    />
  )
}

interface SegmentsProperties<Name extends string> {
  readonly name: 'layer' | 'span'
  readonly legend: string
  readonly choices: readonly (readonly [name: Name, label: string])[]
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
}

/** A choice of one, side by side. */
function Segments<Name extends string>({ name, legend, choices, chosen, onChoose }: SegmentsProperties<Name>) {
  return (
    <fieldset class={name === 'span' ? 'segments spans' : 'segments'}>
      <legend class="hidden">{legend}</legend>
      {choices.map(([choice, label]) => (
        <label key={choice} class={choice === chosen ? 'segment on' : 'segment'}>
          <input
            class="hidden"
            type="radio"
            name={name}
            checked={choice === chosen}
            onChange={() => onChoose(choice)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

export function Zoom() {
  return (
    <fieldset class="zoom">
      <legend class="hidden">{t('map.zoom')}</legend>
      <button type="button" onClick={() => zoomBy(1)} aria-label={t('map.zoom_in')}>
        +
      </button>
      <button type="button" onClick={() => zoomBy(-1)} aria-label={t('map.zoom_out')}>
        −
      </button>
      <button
        type="button"
        onClick={() => changeView({ camera: null })}
        aria-label={t('map.zoom_nigeria')}
        title={t('map.zoom_nigeria')}
      >
        ⌂
      </button>
    </fieldset>
  )
}

/**
 * Languages and the other pages. The browser's own popover closes with Escape or a tap elsewhere.
 */
export function MainMenu() {
  return (
    <>
      <button type="button" class="icon-button" popovertarget="main-menu" title={t('map.menu')}>
        <Icon name="menu" />
        <span class="hidden">{t('map.menu')}</span>
      </button>
      <div id="main-menu" popover="auto" class="main-menu">
        <label class="language-choice" for="language">
          {t('common.language')}
          <LanguageSelect />
        </label>
        <DraftNote />
        <a href="/report">{t('page.report')}</a>
        <a href="/about">{t('page.about')}</a>
        <a href="/status">{t('page.status')}</a>
        <a href="/console">{t('page.for_developers')}</a>
      </div>
    </>
  )
}

function LanguageSelect() {
  return (
    <select
      id="language"
      value={currentLanguage().language}
      onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}
    >
      {LANGUAGE_CODES.map((code) => (
        <option key={code} value={code} lang={code}>
          {LANGUAGES[code]}
        </option>
      ))}
    </select>
  )
}

/** Says that no speaker has reviewed the words of this page yet. */
export function DraftNote() {
  if (!currentLanguage().draft) return null
  return <p class="draft-note">{t('common.draft')}</p>
}
