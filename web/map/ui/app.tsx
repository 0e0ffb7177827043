import { useStore } from '../../shared/store.ts'
import { useMedia, WIDE } from '../../shared/use-media.ts'
import { initialData } from '../initial-data.ts'
import { live } from '../live/feed.ts'
import { currentView } from '../view/current-view.ts'
import { Announcer } from './announcer.tsx'
import { Legend } from './controls/legend.tsx'
import { LivePill } from './controls/live-pill.tsx'
import { SpanSwitch } from './controls/span-switch.tsx'
import { Zoom } from './controls/zoom.tsx'
import { Bar } from './header.tsx'
import { MapArea } from './map-area.tsx'
import { Panel } from './panel/panel.tsx'
import { FilterButton, Sheet } from './panel/sheet.tsx'
import { Share } from './share/share.tsx'
import { Timeline } from './timeline/timeline.tsx'

export function App() {
  const wide = useMedia(WIDE)
  const { embed } = useStore(currentView)
  if (embed) return <Embedded />
  return (
    <div class={wide ? 'app wide' : 'app narrow'}>
      <Bar wide={wide} />
      <main class="stage">
        {wide && <Panel />}
        <div class="map-area">
          <MapArea />
          <Stale />
          {!wide && <SpanSwitch />}
          {!wide && <FilterButton />}
          {!wide && <Timeline />}
          <Legend />
          <Zoom />
        </div>
        {wide && (
          <div class="time">
            <Timeline />
            <SpanSwitch />
          </div>
        )}
        {!wide && <Sheet />}
      </main>
      <Share />
      <Announcer />
    </div>
  )
}

/** Within somebody else's page: the map alone, and where it comes from. */
function Embedded() {
  return (
    <div class="app embedded">
      <main class="map-area">
        <h1 class="hidden">Security incidents in Nigeria</h1>
        <MapArea />
        <Stale />
        <SpanSwitch />
        <Legend />
        <Zoom />
        <p class="embed-foot">
          <LivePill />
          {initialData.demo && <span class="pill synthetic">Synthetic data</span>}
          <a href="/" target="_blank" rel="noopener">
            Incident Feed
          </a>
        </p>
      </main>
      <Announcer />
    </div>
  )
}

function Stale() {
  const { freshness } = useStore(live)
  if (freshness !== 'offline') return null
  return (
    <p class="stale" role="status">
      You are offline. What you see may be out of date; it catches up by itself once the connection is back.
    </p>
  )
}
