import { Icon } from '../../../shared/components/icon.tsx'
import { daysText, timeText } from '../../../shared/format.ts'
import { useStore } from '../../../shared/store.ts'
import { BAR_UNITS, type Bar, barRangeOf, barsOf, windowOf } from '../../data/histogram.ts'
import { useStatistics } from '../../data/statistics.ts'
import { serverNow } from '../../initial-data.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { filterOf } from '../../view/view.ts'
import { Bars } from './bars.tsx'
import { Brush } from './brush.tsx'
import { usePlayback } from './use-playback.ts'

/** Shows the period as bars by severity, with a window to drag and a button that plays it. */
export function Timeline() {
  const view = useStore(currentView)
  const query = filterOf({ ...view, window: null })
  query.set('group_by', `${BAR_UNITS[view.period].unit},severity`)
  const { statistics, error } = useStatistics(query.toString())
  const bars = statistics === null ? [] : barsOf(statistics.data, view.period)
  const [first, last] = barRangeOf(bars, view.window)
  const showRange = (from: number, to: number) => changeView({ window: windowOf(bars, from, to) }, 'replace')
  const [playing, setPlaying] = usePlayback(bars.length, first, last, showRange)
  const maxTotal = Math.max(1, ...bars.map(({ total }) => total))
  return (
    <section class="timeline" aria-label="Timeline">
      <button
        type="button"
        class="icon-button play"
        disabled={bars.length < 2}
        onClick={() => setPlaying(!playing)}
        aria-pressed={playing}
      >
        <Icon name={playing ? 'pause' : 'play'} />
        <span class="hidden">Play through time</span>
      </button>
      <div class="histogram">
        <Bars bars={bars} maxTotal={maxTotal} first={first} last={last} />
        {bars.length > 1 && <Brush bars={bars} first={first} last={last} onChange={showRange} />}
        {bars.length === 0 && <p class="note">{error ?? (statistics ? 'Nothing in this span.' : 'Counting …')}</p>}
      </div>
      <p class="window-text">
        {bars.length > 0 && windowText(bars, first, last)}
        {view.window !== null && (
          <button type="button" class="text-button" onClick={() => changeView({ window: null })}>
            Whole span
          </button>
        )}
      </p>
    </section>
  )
}

function windowText(bars: readonly Bar[], first: number, last: number): string {
  const [from, to] = [bars[first]!.from, bars[last]!.to]
  const short = Date.parse(to) - Date.parse(from) < 2 * 86_400_000
  if (short) return `${timeText(from)} – ${timeText(to)}`
  // `to` is the first moment after the window.
  return daysText(from, new Date(Math.min(serverNow(), Date.parse(to) - 1)).toISOString())
}
