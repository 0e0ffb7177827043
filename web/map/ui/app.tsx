import { useMediaQuery, WIDE_SCREEN } from '../../shared/hooks.ts'
import { t } from '../../shared/language.ts'
import { useStore } from '../../shared/store.ts'
import { initialData } from '../initial-data.ts'
import { currentView } from '../view/current-view.ts'
import { Announcer } from './announcer.tsx'
import { LivePill } from './controls/live-pill.tsx'
import { PeriodSwitch } from './controls/period-switch.tsx'
import { Zoom } from './controls/zoom.tsx'
import { EmbeddedPanel } from './embedded-panel.tsx'
import { FromStep, useIsBeingDrawn } from './first-drawing.tsx'
import { Header } from './header.tsx'
import { Legend } from './legend.tsx'
import { MapArea } from './map-area.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { Panel } from './panel/panel.tsx'
import { FilterButton, Sheet } from './panel/sheet.tsx'
import { PlaceTools } from './place-tools/place-tools.tsx'
import { ShareDialog } from './share/share.tsx'
import { SkipLink } from './skip-link.tsx'
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
