import { useEffect, useRef, useState } from 'preact/hooks'
import type { LocatedPoint } from '../../../client/src/generated/types.ts'
import { Button } from '../../shared/parts/controls.tsx'
import { loadSmallMap, useSmallMap } from '../../shared/parts/load-small-map.ts'
import { RequestError, request } from '../../shared/parts/request.ts'
import { placeText, precisionText } from '../../shared/text.ts'
import { claimReport } from '../claims.ts'
import type { DeskIncident } from '../desk-api.ts'
import { movedPlace } from '../facts-form.ts'
import { initialData } from '../person.ts'
import { useSaving } from './facts-editor.tsx'

const MAP_DELAY_MS = 200

interface Point {
  readonly lat: number
  readonly lng: number
}

const BASIS_WORDS = {
  reported: 'named in the report',
  boundary: 'from its boundary',
  estimated: 'estimated from the nearest places',
} as const

/** The place on a map with its radius, what its name was matched to, and the point to be moved. */
export function PlaceSection({ incident }: { incident: DeskIncident }) {
  const [moved, setMoved] = useState<Point | null>(null)
  const { lat, lng, location } = incident
  const { save, message } = useSaving(incident, () => setMoved(null))
  const actions = {
    move: (point: Point) => {
      if (moved === null) void claimReport(incident.id)
      setMoved(point)
    },
    save: () => {
      if (moved !== null) void save(movedPlace(incident, moved.lat, moved.lng, 'settlement'))
    },
    putBack: () => {
      setMoved(null)
      map.current?.drawPoint(lat, lng)
    },
  }
  // The map is loaded once; its keys act on the incident that is shown then.
  const current = useRef(actions)
  current.current = actions
  const { container, map, isReady, fault } = useSmallMap(async (element) => {
    const [{ createPlaceMap }, parts] = await loadSmallMap(import('../place-map.ts'), initialData)
    return createPlaceMap(element, parts, {
      onMove: (nextLat, nextLng) => current.current.move({ lat: nextLat, lng: nextLng }),
      onEnter: () => current.current.save(),
      onEscape: () => current.current.putBack(),
    })
  })
  const show = () => map.current?.show({ lat, lng, radiusKm: location.radius_km })
  useEffect(() => {
    if (isReady) show()
    if (fault !== null) console.warn(fault)
  }, [isReady, fault])
  useEffect(() => {
    setMoved(null)
    // The text first: drawing the map takes longer than an editor needs to decide.
    const timer = setTimeout(show, MAP_DELAY_MS)
    return () => clearTimeout(timer)
  }, [incident.id, lat, lng, location.radius_km])
  const canMove = incident.status === 'reported' || incident.status === 'confirmed'
  return (
    <section class="place">
      <h2>Place</h2>
      <p class="place-match">
        {location.place === null ? 'No name was given.' : <>“{location.place}” was matched to </>}
        <strong>{placeText(incident)}</strong>
        <span class="quiet">
          {' '}
          {precisionText(location)}
          {location.lga_basis !== null && `; LGA ${BASIS_WORDS[location.lga_basis]}`} ({lat.toFixed(4)},{' '}
          {lng.toFixed(4)})
        </span>
      </p>
      <div
        class={`small-map place-map ${canMove ? '' : 'fixed'}`}
        ref={container}
        data-state={isReady ? 'ready' : 'loading'}
        aria-busy="true"
      />
      {moved !== null && canMove ? (
        <MovedPoint point={moved} message={message} onSave={actions.save} onPutBack={actions.putBack} />
      ) : (
        canMove && (
          <p class="quiet">
            Drag the point, or press <kbd>p</kbd> and use the arrow keys.
          </p>
        )
      )}
    </section>
  )
}

function MovedPoint({
  point,
  message,
  onSave,
  onPutBack,
}: {
  point: Point
  message: string
  onSave: () => void
  onPutBack: () => void
}) {
  return (
    <div class="moved">
      <p>
        Moved to <PointName point={point} />
      </p>
      {message !== '' && (
        <p class="form-message" role="alert">
          {message}
        </p>
      )}
      <div class="row-of-buttons">
        <Button class="button primary small" label="Save the place" shortcut="Enter" onClick={onSave} />
        <Button class="button small" label="Put it back" shortcut="Esc" onClick={onPutBack} />
      </div>
    </div>
  )
}

const LOCATE_MS = 250

/** Names the LGA of a point once it rests. */
function PointName({ point: { lat, lng } }: { point: Point }) {
  const [name, setName] = useState<string | null>(null)
  useEffect(() => {
    setName(null)
    const stopping = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const path = `/v1/places/locate?lat=${lat.toFixed(5)}&lng=${lng.toFixed(5)}`
        const found = await request<LocatedPoint>('GET', path, { signal: stopping.signal })
        setName(placeText(found))
      } catch (error) {
        if (error instanceof RequestError) setName(error.message)
      }
    }, LOCATE_MS)
    return () => {
      clearTimeout(timer)
      stopping.abort()
    }
  }, [lat, lng])
  return (
    <>
      <strong>{name ?? '…'}</strong>{' '}
      <span class="quiet">
        ({lat.toFixed(4)}, {lng.toFixed(4)})
      </span>
    </>
  )
}
