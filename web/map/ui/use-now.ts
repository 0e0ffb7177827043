import { useEffect, useState } from 'preact/hooks'
import { now } from '../initial-data.ts'

/** The time, often enough for ages in minutes to be true. */
export function useNow(every = 15_000): number {
  const [time, setTime] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), every)
    return () => clearInterval(timer)
  }, [every])
  return time
}
