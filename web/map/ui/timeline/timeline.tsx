import { Icon } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { barRangeOf, figuresOf, windowOf } from '../../data/figures/histogram.ts'
import { usePageState } from '../../data/figures/page-figures.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { useNow } from '../use-now.ts'
import { windowText } from '../window-text.ts'
import { Bars } from './bars.tsx'
import { Brush } from './brush.tsx'
import { usePlayback } from './use-playback.ts'

/** Shows the period as bars by severity, with a window to drag and a button that plays it. */
export function Timeline() {
  const view = useStore(currentView)
  const { figures, figuresAreOld, loading, failure } = usePageState()
  const now = useNow()
  const bars = figures?.bars ?? []
  const window = figures?.question.window ?? null
  const severities = figures?.question.severities ?? []
  const [first, last] = barRangeOf(bars, window)
  /** The first step of a drag or of a playback can be undone with Back; the others replace it. */
  const showRange = (from: number, to: number, mode: 'push' | 'replace') =>
    changeView({ window: windowOf(bars, from, to) }, mode)
  const [playing, setPlaying] = usePlayback(bars.length, first, last, showRange)
  const maxTotal = Math.max(1, ...bars.map((bar) => figuresOf(bar, severities).count))
  return (
    <section class="timeline" aria-label={t('timeline.label')} aria-busy={loading || figuresAreOld}>
      <button
        type="button"
        class="icon-button play"
        disabled={bars.length < 2}
        onClick={() => setPlaying(!playing)}
        aria-pressed={playing}
      >
        <Icon name={playing ? 'pause' : 'play'} />
        <span class="hidden">{t('timeline.play')}</span>
      </button>
      <div class="histogram" data-old={figures !== null && figuresAreOld}>
        <Bars bars={bars} severities={severities} maxTotal={maxTotal} first={first} last={last} />
        {bars.length > 1 && !figuresAreOld && <Brush bars={bars} first={first} last={last} onChange={showRange} />}
        {bars.length === 0 && (
          <p class="note">{failure?.message ?? t(figures === null ? 'timeline.counting' : 'timeline.empty')}</p>
        )}
      </div>
      <p class="window-text">
        {bars.length > 0 && windowText(window, now)}
        {view.window !== null && (
          <button type="button" class="text-button" onClick={() => changeView({ window: null })}>
            {t('timeline.whole_span')}
          </button>
        )}
      </p>
    </section>
  )
}
