import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon } from '../../shared/components.tsx'
import { t } from '../../shared/language.ts'
import { api } from '../api.ts'
import { flyTo } from '../canvas/commands.ts'

export interface FoundPlace {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly radius_km: number
  readonly state: string
  readonly lga: string | null
}

const DEBOUNCE_MS = 200

interface PlaceSearchProperties {
  readonly label?: string
  readonly onChoose?: (place: FoundPlace) => void
}

/** Finds a settlement, an LGA or a state, and moves the map there unless `onChoose` is given. */
export function PlaceSearch({ label = t('map.search_place'), onChoose = showPlace }: PlaceSearchProperties) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly FoundPlace[] | null>(null)
  const [active, setActive] = useState(0)
  const [message, setMessage] = useState<string | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()

  useEffect(() => {
    if (text.trim().length < 2) {
      setFound(null)
      setMessage(null)
      return
    }
    const request = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const { data } = await api.getJson<{ data: FoundPlace[] }>(
          '/v1/places/search',
          new URLSearchParams({ q: text.trim() }),
          request.signal,
        )
        setFound(data.slice(0, 6))
        setActive(0)
        setMessage(data.length === 0 ? t('map.search_none') : null)
      } catch (error) {
        if (!request.signal.aborted) setMessage((error as Error).message)
      }
    }, DEBOUNCE_MS)
    return () => {
      request.abort()
      clearTimeout(timer)
    }
  }, [text])

  useEffect(() => {
    const close = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setFound(null)
    }
    addEventListener('pointerdown', close)
    return () => removeEventListener('pointerdown', close)
  }, [])

  const choose = (place: FoundPlace) => {
    onChoose(place)
    setText('')
    setFound(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setText('')
    if (!found || found.length === 0) return
    if (event.key === 'ArrowDown') setActive((active + 1) % found.length)
    else if (event.key === 'ArrowUp') setActive((active + found.length - 1) % found.length)
    else if (event.key === 'Enter') choose(found[active]!)
    else return
    event.preventDefault()
  }
  const isOpen = found !== null && found.length > 0
  return (
    <div class="search" ref={box}>
      <Icon name="search" />
      <input
        type="search"
        list={undefined}
        // biome-ignore lint/a11y/noRedundantRoles: without a data list, an input is no combobox
        role="combobox"
        placeholder={label}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        {...(isOpen ? { 'aria-activedescendant': `${id}-${active}` } : {})}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-found`} role="listbox" aria-label={t('map.search_found')} class="found" hidden={!isOpen}>
        {found?.map((place, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys
          <div
            key={`${place.name} ${place.lat}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            class={index === active ? 'option on' : 'option'}
            onClick={() => choose(place)}
          >
            {place.name}
            <span class="quiet">
              {' '}
              {[place.lga, place.state].filter((part) => part && part !== place.name).join(', ')}
            </span>
          </div>
        ))}
      </div>
      {message && (
        <p class="found note" role="status">
          {message}
        </p>
      )}
    </div>
  )
}

function showPlace({ lat, lng, radius_km }: FoundPlace): void {
  flyTo(lat, lng, radius_km)
}
