import { useEffect, useState } from 'preact/hooks'
import { serverNow } from '../../initial-data.ts'

const UPDATE_INTERVAL_MS = 15_000

/** Returns the server's time, updated often enough for ages in minutes. */
export function useNow(): number {
  const [time, setTime] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setTime(serverNow()), UPDATE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  return time
}
