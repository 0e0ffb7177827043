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

export const WIDE_SCREEN = '(min-width: 900px)'
/** A phone on its side, where the list lies beside the map (styles/screens/landscape.css). */
export const LANDSCAPE_PHONE = '(width < 900px) and (height < 520px) and (orientation: landscape)'
export const REDUCED_MOTION = '(prefers-reduced-motion: reduce)'

export function useMediaQuery(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const listen = () => setMatches(media.matches)
    listen()
    media.addEventListener('change', listen)
    return () => media.removeEventListener('change', listen)
  }, [query])
  return matches
}
