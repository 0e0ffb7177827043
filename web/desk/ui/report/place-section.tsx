import { useEffect, useRef, useState } from 'preact/hooks'
import { placeText } from '../../../shared/format.ts'
import { precisionText } from '../../../shared/incident-text.ts'
import { RequestError, request } from '../../../shared/parts/request.ts'
import type { DeskIncident } from '../../api/types.ts'
import { saveCorrection } from '../../decisions/correct.ts'
import { loadPlaceMap } from '../../place-map/load.ts'
import type { PlaceMap } from '../../place-map/place-map.ts'
import { claimReport } from '../../report/claims.ts'
import { movedPlace } from '../../report/corrections.ts'
import { personId } from '../../session.ts'

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
  const container = useRef<HTMLDivElement>(null)
  const map = useRef<PlaceMap | null>(null)
  const [moved, setMoved] = useState<Point | null>(null)
  const actions = useRef({ move: (_: Point) => {}, save: () => {}, putBack: () => {} })
  const { lat, lng, location } = incident
  const putBack = () => {
    setMoved(null)
    map.current?.drawPoint(lat, lng)
  }
  const { save, message } = useSaving(incident, moved, () => setMoved(null))
  actions.current = {
    move: (point) => {
      if (moved === null) void claimReport(incident.id)
      setMoved(point)
    },
    save,
    putBack,
  }
  const show = () => map.current?.show({ lat, lng, radiusKm: location.radius_km })
  useEffect(() => {
    let isGone = false
    loadPlaceMap(container.current!, {
      onMove: (nextLat, nextLng) => actions.current.move({ lat: nextLat, lng: nextLng }),
      onEnter: () => actions.current.save(),
      onEscape: () => actions.current.putBack(),
    }).then(
      (loaded) => {
        if (isGone) return loaded.remove()
        map.current = loaded
        container.current!.dataset.state = 'ready'
        shownPlace.current()
      },
      (error: unknown) => console.warn('The map could not be loaded:', error),
    )
    return () => {
      isGone = true
      map.current?.remove()
    }
  }, [])
  const shownPlace = useRef(show)
  shownPlace.current = show
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
        data-state="loading"
        aria-busy="true"
      />
      {moved !== null && canMove ? (
        <MovedPoint point={moved} message={message} onSave={save} onPutBack={putBack} />
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

function useSaving(incident: DeskIncident, moved: Point | null, onSaved: () => void) {
  const [message, setMessage] = useState('')
  const stopping = useRef(new AbortController())
  useEffect(() => () => stopping.current.abort(), [])
  const save = async () => {
    if (moved === null) return
    setMessage('')
    const changes = movedPlace(incident, moved.lat, moved.lng, 'settlement')
    try {
      await saveCorrection(incident, changes, personId(), setMessage, stopping.current.signal)
      onSaved()
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setMessage(error.message)
    }
  }
  return { save: () => void save(), message }
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
        Moved to <LocatedPoint point={point} />
      </p>
      {message !== '' && (
        <p class="form-message" role="alert">
          {message}
        </p>
      )}
      <div class="row-of-buttons">
        <button type="button" class="button primary small" onClick={onSave}>
          Save the place <kbd>Enter</kbd>
        </button>
        <button type="button" class="button small" onClick={onPutBack}>
          Put it back <kbd>Esc</kbd>
        </button>
      </div>
    </div>
  )
}

const LOCATE_MS = 250

/** Names the LGA of a point once it rests. */
function LocatedPoint({ point: { lat, lng } }: { point: Point }) {
  const [name, setName] = useState<string | null>(null)
  useEffect(() => {
    setName(null)
    const stopping = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const path = `/v1/places/locate?lat=${lat.toFixed(5)}&lng=${lng.toFixed(5)}`
        const found = await request<{ state: string; lga: string }>('GET', path, { signal: stopping.signal })
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
