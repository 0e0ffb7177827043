import { useEffect, useRef, useState } from 'preact/hooks'
import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import { Icon } from '../../../shared/components/icon.tsx'
import { daysText, dayText, incidents, momentText } from '../../../shared/format.ts'
import { useStore } from '../../../shared/store.ts'
import { mapIsIdle } from '../../canvas/idle.ts'
import { type Bar, barsOf, barsWithin, firstWindow, nextWindow, STEPS, windowOf } from '../../data/histogram.ts'
import { useStatistics } from '../../data/statistics.ts'
import { now } from '../../initial-data.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import { filterOf } from '../../view/view.ts'

/** A step of playing takes at least this long, and as long as the map needs. */
const STEP = 900

/** The span as bars by severity, with a window to drag over it and a button that moves the window along. */
export function Timeline() {
  const view = useStore(currentView)
  const query = filterOf({ ...view, window: null })
  query.set('group_by', `${STEPS[view.span].unit},severity`)
  const { statistics, error } = useStatistics(query.toString())
  const bars = statistics === null ? [] : barsOf(statistics.data, view.span)
  const [first, last] = barsWithin(bars, view.window)
  const show = (from: number, to: number) => changeView({ window: windowOf(bars, from, to) }, 'replace')
  const [playing, setPlaying] = usePlaying(bars.length, first, last, show)
  const most = Math.max(1, ...bars.map(({ total }) => total))
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
        <Bars bars={bars} most={most} first={first} last={last} />
        {bars.length > 1 && <Brush bars={bars} first={first} last={last} onChange={show} />}
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
  if (short) return `${momentText(from)} – ${momentText(to)}`
  // The end is the first moment that no longer counts.
  return daysText(from, new Date(Math.min(now(), Date.parse(to) - 1)).toISOString())
}

function Bars({ bars, most, first, last }: { bars: readonly Bar[]; most: number; first: number; last: number }) {
  const summary = `${incidents(bars.slice(first, last + 1).reduce((sum, { total }) => sum + total, 0))} in the window`
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${Math.max(1, bars.length)} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary}
    >
      {bars.map((bar, index) => {
        let top = 100
        return (
          <g key={bar.from} class={index < first || index > last ? 'bar-group out' : 'bar-group'}>
            {SEVERITIES.toReversed().map((severity) => {
              const height = (bar.bySeverity[severity] / most) * 96
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
  readonly onChange: (first: number, last: number) => void
}

/** Two sliders for the keyboard and, over the same ground, one drag for the pointer. */
function Brush({ bars, first, last, onChange }: BrushProperties) {
  const area = useRef<HTMLDivElement>(null)
  const from = useRef<number | null>(null)
  const indexAt = (event: PointerEvent) => {
    const { left, width } = area.current!.getBoundingClientRect()
    return Math.min(bars.length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * bars.length)))
  }
  const onPointerDown = (event: PointerEvent) => {
    area.current!.setPointerCapture(event.pointerId)
    const index = indexAt(event)
    // Near an edge of the window that edge is moved; elsewhere a new window begins.
    const edge = Math.max(1, Math.round(bars.length / 60))
    const isWhole = first === 0 && last === bars.length - 1
    if (!isWhole && Math.abs(index - first) <= edge) from.current = last
    else if (!isWhole && Math.abs(index - last) <= edge) from.current = first
    else from.current = index
    onPointerMove(event)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (from.current === null) return
    const index = indexAt(event)
    onChange(Math.min(index, from.current), Math.max(index, from.current))
  }
  const onPointerUp = () => {
    from.current = null
  }
  const share = (index: number) => `${(index / bars.length) * 100}%`
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
        <div class="brush" style={{ left: share(first), right: share(bars.length - 1 - last) }} />
      </div>
      <input
        class="brush-slider from"
        type="range"
        aria-label="Window begins"
        aria-valuetext={dayText(bars[first]!.from)}
        min={0}
        max={bars.length - 1}
        value={first}
        onInput={(event) => onChange(Math.min(Number(event.currentTarget.value), last), last)}
      />
      <input
        class="brush-slider to"
        type="range"
        aria-label="Window ends"
        aria-valuetext={dayText(new Date(Date.parse(bars[last]!.to) - 1).toISOString())}
        min={0}
        max={bars.length - 1}
        value={last}
        onInput={(event) => onChange(first, Math.max(Number(event.currentTarget.value), first))}
      />
    </>
  )
}

/** Moves the window along for as long as it plays; at the end it stops. */
function usePlaying(
  bars: number,
  first: number,
  last: number,
  show: (first: number, last: number) => void,
): [boolean, (playing: boolean) => void] {
  const [playing, setPlaying] = useState(false)
  useEffect(() => {
    if (!playing) return
    let stopped = false
    const timer = setTimeout(async () => {
      await mapIsIdle()
      if (stopped) return
      const next = nextWindow(bars, first, last)
      if (next === null) setPlaying(false)
      else show(...next)
    }, STEP)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [playing, first, last, bars])
  const press = (wanted: boolean) => {
    if (wanted) show(...firstWindow(bars, first, last))
    setPlaying(wanted)
  }
  return [playing, press]
}
