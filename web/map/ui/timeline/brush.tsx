import { useRef } from 'preact/hooks'
import { dayText } from '../../../shared/format.ts'
import type { Bar } from '../../data/histogram.ts'

interface BrushProperties {
  readonly bars: readonly Bar[]
  readonly first: number
  readonly last: number
  readonly onChange: (first: number, last: number) => void
}

/** Changes the window: a drag for the pointer, and two sliders for the keyboard. */
export function Brush({ bars, first, last, onChange }: BrushProperties) {
  const area = useRef<HTMLDivElement>(null)
  const fixedIndex = useRef<number | null>(null)
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
    onPointerMove(event)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (fixedIndex.current === null) return
    const index = indexAt(event)
    onChange(Math.min(index, fixedIndex.current), Math.max(index, fixedIndex.current))
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
