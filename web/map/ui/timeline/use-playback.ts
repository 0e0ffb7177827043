import { useEffect, useState } from 'preact/hooks'
import { waitUntilMapIdle } from '../../canvas/idle.ts'
import { firstPlaybackRange, nextPlaybackRange } from '../../data/figures/histogram.ts'

/** The shortest time between two steps; a step also waits for the map. */
const STEP_INTERVAL_MS = 900

/** Moves the window bar by bar while it plays; stops at the end. */
export function usePlayback(
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
