import { useEffect, useState } from 'preact/hooks'
import type { Incident } from '../../../src/domain/incident.ts'
import { Icon } from '../../shared/components.tsx'
import { useMediaQuery, WIDE_SCREEN } from '../../shared/hooks.ts'
import { t } from '../../shared/language.ts'
import { useStore } from '../../shared/store.ts'
import { momentText, placeText } from '../../shared/text.ts'
import { currentQuestion } from '../data/current-question.ts'
import { isAnswer } from '../data/question.ts'
import { isArchiveEmpty, snapshot } from '../data/snapshot.ts'
import { initialData, savedAt } from '../initial-data.ts'
import { feedStatus, onFeedEvent } from '../live/feed.ts'
import { changeView, currentView } from '../view/current-view.ts'
import { DraftNote, LivePill, PeriodSwitch, Zoom } from './controls.tsx'
import { Filters } from './filters.tsx'
import { FromStep, useIsBeingDrawn } from './first-drawing.tsx'
import { Header } from './header.tsx'
import { Legend } from './legend.tsx'
import { MapArea } from './map-area.tsx'
import { IncidentCard } from './panel/incident-card.tsx'
import { IncidentList } from './panel/incident-list.tsx'
import { FilterButton, openSheet, Sheet } from './panel/sheet.tsx'
import { PlaceTools } from './place-tools/place-tools.tsx'
import { ShareDialog } from './share/share.tsx'
import { Timeline } from './timeline.tsx'

export function App() {
  const wide = useMediaQuery(WIDE_SCREEN)
  const { embed } = useStore(currentView)
  const isBeingDrawn = useIsBeingDrawn()
  if (embed) return <EmbeddedApp />
  return (
    <div class={wide ? 'app wide' : 'app narrow'} aria-busy={isBeingDrawn}>
      <SkipLink />
      <Header wide={wide} />
      <main class="stage">
        {wide && <Panel />}
        <div class="map-area">
          <MapArea />
          <FromStep number={1}>
            <OfflineNotice />
            {!wide && <PeriodSwitch />}
            {!wide && <FilterButton />}
            {!wide && <Timeline />}
          </FromStep>
          <FromStep number={2}>
            <Legend />
            <Zoom />
            <PlaceTools />
          </FromStep>
        </div>
        {wide && (
          <div class="time">
            <FromStep number={1}>
              <Timeline />
              <PeriodSwitch />
            </FromStep>
          </div>
        )}
        {!wide && <Sheet />}
      </main>
      <FromStep number={2}>
        <ShareDialog />
        <Announcer />
      </FromStep>
    </div>
  )
}

/** The page inside an <iframe> of another site: the map alone, with a link to its source. */
function EmbeddedApp() {
  return (
    <div class="app embedded">
      <main class="map-area">
        <h1 class="hidden">{t('page.heading')}</h1>
        <MapArea />
        <OfflineNotice />
        <PeriodSwitch />
        <Legend />
        <Zoom />
        <p class="embed-foot">
          <LivePill />
          {initialData.demo && <span class="pill synthetic">{t('map.synthetic')}</span>}
          <a href="/" target="_blank" rel="noopener">
            Incident Feed
          </a>
        </p>
        <EmbeddedPanel />
      </main>
      <Announcer />
    </div>
  )
}

/** The first stop of the keyboard: past the header and the map to the list. */
function SkipLink() {
  const skip = () => {
    openSheet()
    // The sheet's body cannot take the focus before it has been opened.
    requestAnimationFrame(() => document.getElementById('list')?.focus())
  }
  return (
    <button type="button" class="skip-link" onClick={skip}>
      {t('map.skip_to_list')}
    </button>
  )
}

/** The panel beside the map on a wide screen: filters and list, or the card of one incident. */
function Panel() {
  const showCard = useStore(currentView).incident !== null
  const isEmpty = isArchiveEmpty(useStore(snapshot))
  return (
    <section class="panel" aria-label={t('page.incidents')}>
      {!showCard && <DraftNote />}
      {!showCard && !isEmpty && <Filters />}
      <div class="panel-scroll" id="list" tabIndex={-1} key={showCard ? 'card' : 'list'}>
        {showCard ? <IncidentCard /> : <IncidentList />}
      </div>
    </section>
  )
}

/** In an embedded map there is no panel: the card, or the list of a mark, opens over the map. */
function EmbeddedPanel() {
  const { incident, box } = useStore(currentView)
  if (incident === null && box === null) return null
  return (
    <section class="embedded-panel" aria-label={t('page.incidents')}>
      {incident === null && (
        <button type="button" class="text-button back" onClick={() => changeView({ box: null })}>
          <Icon name="close" /> {t('common.close')}
        </button>
      )}
      {incident === null ? <IncidentList /> : <IncidentCard />}
    </section>
  )
}

/** Says that the page is out of date, and from when it is if it comes from the device. */
function OfflineNotice() {
  const { freshness } = useStore(feedStatus)
  const fromDevice = savedAt !== null && freshness !== 'live'
  if (freshness !== 'offline' && !fromDevice) return null
  const text = fromDevice ? t('map.offline_saved', { time: momentText(savedAt!) }) : t('map.offline')
  return (
    <p class="stale" role="status">
      {text}
    </p>
  )
}

const BATCH_MS = 5000

/** Announces new incidents to screen readers, in batches so that a busy feed can be followed. */
function Announcer() {
  const [text, setText] = useState('')
  useEffect(() => {
    let waiting: Incident[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const announce = () => {
      timer = undefined
      const newest = waiting.at(-1)!
      setText(t('panel.announced', { count: waiting.length, summary: newest.summary, place: placeText(newest) }))
      waiting = []
    }
    const unsubscribe = onFeedEvent((event) => {
      if (event.kind !== 'created' || !isAnswer(event.incident, currentQuestion.get())) return
      waiting.push(event.incident)
      timer ??= setTimeout(announce, BATCH_MS)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [])
  return (
    <p class="hidden" role="status" aria-live="polite">
      {text}
    </p>
  )
}
