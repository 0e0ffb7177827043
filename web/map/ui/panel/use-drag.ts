import { useRef, useState } from 'preact/hooks'

/** A shorter drag is a tap. */
const MIN_DRAG_PX = 30
const LONG_DRAG_PX = 260

/** Follows a vertical drag; on release, reports 1 step, or 2 after a long drag. Up is positive. */
export function useDrag(onRelease: (steps: number) => void) {
  const [drag, setDrag] = useState(0)
  const start = useRef<number | null>(null)
  const wasDrag = useRef(false)
  const finish = () => {
    wasDrag.current = Math.abs(drag) > MIN_DRAG_PX
    const steps = Math.abs(drag) > LONG_DRAG_PX ? 2 : 1
    if (wasDrag.current) onRelease(drag < 0 ? steps : -steps)
    start.current = null
    setDrag(0)
  }
  return {
    drag,
    onPointerDown(event: PointerEvent) {
      start.current = event.clientY
      ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent) {
      if (start.current !== null) setDrag(event.clientY - start.current)
    },
    onPointerUp: finish,
    onPointerCancel: finish,
    // The browser sends a click after a drag, which would move the sheet once more.
    onClickCapture(event: MouseEvent) {
      if (wasDrag.current) event.stopPropagation()
      wasDrag.current = false
    },
  }
}
