import { useRef } from 'preact/hooks'
import { t } from '../../../shared/language.ts'
import { momentText } from '../../../shared/text.ts'
import type { Bar } from '../../data/figures/histogram.ts'

interface BrushProperties {
  readonly bars: readonly Bar[]
  readonly first: number
  readonly last: number
  readonly onChange: (first: number, last: number, mode: 'push' | 'replace') => void
}

/** Changes the window: a drag for the pointer, and two sliders for the keyboard. */
export function Brush({ bars, first, last, onChange }: BrushProperties) {
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
