import { useEffect, useState } from 'preact/hooks'

const UPDATE_INTERVAL_MS = 15_000

/** Returns the time of the clock, updated often enough for ages in minutes. */
export function useClock(clock: () => number): number {
  const [time, setTime] = useState(clock)
  useEffect(() => {
    const timer = setInterval(() => setTime(clock()), UPDATE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [clock])
  return time
}
