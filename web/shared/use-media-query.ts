import { useEffect, useState } from 'preact/hooks'

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
