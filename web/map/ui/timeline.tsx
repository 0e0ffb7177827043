import { useEffect, useRef, useState } from 'preact/hooks'
import { SEVERITIES, type Severity } from '../../../src/domain/taxonomy.ts'
import { Icon } from '../../shared/components.tsx'
import { useClock } from '../../shared/hooks.ts'
import { t } from '../../shared/language.ts'
import { useStore } from '../../shared/store.ts'
import { momentText, numberText } from '../../shared/text.ts'
import { waitUntilMapIdle } from '../canvas/idle.ts'
import {
  type Bar,
  barRangeOf,
  figuresOf,
  firstPlaybackRange,
  nextPlaybackRange,
  sumOf,
  windowOf,
} from '../data/figures.ts'
import { usePageState } from '../data/page-figures.ts'
import { serverNow } from '../initial-data.ts'
import { changeView, currentView } from '../view/current-view.ts'
import { windowText } from './time-text.ts'

/** Shows the period as bars by severity, with a window to drag and a button that plays it. */
export function Timeline() {
  const view = useStore(currentView)
  const { figures, figuresAreOld, loading, failure } = usePageState()
  const now = useClock(serverNow)
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

interface BarsProperties {
  readonly bars: readonly Bar[]
  /** The severities to draw; none means all. */
  readonly severities: readonly Severity[]
  /** The count that a bar of full height stands for. */
  readonly maxTotal: number
  readonly first: number
  readonly last: number
}

/** Draws the bars; those outside the window, from `first` to `last`, are faded. */
function Bars({ bars, severities, maxTotal, first, last }: BarsProperties) {
  const { count } = sumOf(bars.slice(first, last + 1).map((bar) => figuresOf(bar, severities)))
  const drawn = SEVERITIES.filter((severity) => severities.length === 0 || severities.includes(severity)).toReversed()
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${Math.max(1, bars.length)} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('timeline.in_window', { count: numberText(count) })}
    >
      {bars.map((bar, index) => {
        let top = 100
        return (
          <g key={bar.from} class={index < first || index > last ? 'bar-group out' : 'bar-group'}>
            {drawn.map((severity) => {
              const height = (bar.bySeverity[severity].count / maxTotal) * 96
              top -= height
              return height > 0 ? (
                <rect key={severity} class={`fill-${severity}`} x={index + 0.1} width={0.8} y={top} height={height} />
              ) : null
            })}
          </g>
        )
      })}
    </svg>
  )
}

interface BrushProperties {
  readonly bars: readonly Bar[]
  readonly first: number
  readonly last: number
  readonly onChange: (first: number, last: number, mode: 'push' | 'replace') => void
}

/** Changes the window: a drag for the pointer, and two sliders for the keyboard. */
function Brush({ bars, first, last, onChange }: BrushProperties) {
  const area = useRef<HTMLDivElement>(null)
  const fixedIndex = useRef<number | null>(null)
  const shown = useRef('')
  const indexAt = (event: PointerEvent) => {
    const { left, width } = area.current!.getBoundingClientRect()
    return Math.min(bars.length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * bars.length)))
  }
  const onPointerDown = (event: PointerEvent) => {
    area.current!.setPointerCapture(event.pointerId)
    const index = indexAt(event)
    // A drag near an edge of the window moves that edge; anywhere else it starts a new window.
    const edgeWidth = Math.max(1, Math.round(bars.length / 60))
    const isWhole = first === 0 && last === bars.length - 1
    if (!isWhole && Math.abs(index - first) <= edgeWidth) fixedIndex.current = last
    else if (!isWhole && Math.abs(index - last) <= edgeWidth) fixedIndex.current = first
    else fixedIndex.current = index
    shown.current = ''
    onPointerMove(event)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (fixedIndex.current === null) return
    const index = indexAt(event)
    const [from, to] = [Math.min(index, fixedIndex.current), Math.max(index, fixedIndex.current)]
    if (shown.current === `${from} ${to}`) return
    onChange(from, to, shown.current === '' ? 'push' : 'replace')
    shown.current = `${from} ${to}`
  }
  const onPointerUp = () => {
    fixedIndex.current = null
  }
  const percentAt = (index: number) => `${(index / bars.length) * 100}%`
  return (
    <>
      <div
        class="brush-area"
        ref={area}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
      >
        <div class="brush" style={{ left: percentAt(first), right: percentAt(bars.length - 1 - last) }} />
      </div>
      <input
        class="brush-slider from"
        type="range"
        aria-label={t('timeline.begins')}
        aria-valuetext={momentText(bars[Math.min(first, bars.length - 1)]!.from)}
        min={0}
        max={bars.length - 1}
        value={first}
        onInput={(event) => onChange(Math.min(Number(event.currentTarget.value), last), last, 'replace')}
      />
      <input
        class="brush-slider to"
        type="range"
        aria-label={t('timeline.ends')}
        aria-valuetext={momentText(bars[Math.max(0, last)]!.to)}
        min={0}
        max={bars.length - 1}
        value={last}
        onInput={(event) => onChange(first, Math.max(Number(event.currentTarget.value), first), 'replace')}
      />
    </>
  )
}

/** The shortest time between two steps; a step also waits for the map. */
const STEP_INTERVAL_MS = 900

/** Moves the window bar by bar while it plays; stops at the end. */
function usePlayback(
  barCount: number,
  first: number,
  last: number,
  showRange: (first: number, last: number, mode: 'push' | 'replace') => void,
): [boolean, (playing: boolean) => void] {
  const [playing, setPlaying] = useState(false)
  useEffect(() => {
    if (!playing) return
    let stopped = false
    const timer = setTimeout(async () => {
      await waitUntilMapIdle()
      if (stopped) return
      const next = nextPlaybackRange(barCount, first, last)
      if (next === null) setPlaying(false)
      else showRange(...next, 'replace')
    }, STEP_INTERVAL_MS)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [playing, first, last, barCount])
  // Back ends the playback; else the next step would take the reader forward again.
  useEffect(() => {
    const stop = () => setPlaying(false)
    addEventListener('popstate', stop)
    return () => removeEventListener('popstate', stop)
  }, [])
  const setPlayback = (next: boolean) => {
    if (next) showRange(...firstPlaybackRange(barCount, first, last), 'push')
    setPlaying(next)
  }
  return [playing, setPlayback]
}
