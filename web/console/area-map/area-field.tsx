import type { FeatureCollection } from 'geojson'
import { useEffect, useRef, useState } from 'preact/hooks'
import { messageOf } from '../../shared/session/send.ts'
import { ANYWHERE, type Area, type DrawnKind } from '../area/area.ts'
import type { AreaMap } from './area-map.ts'
import { AreaNumbers } from './area-numbers.tsx'
import { loadAreaMap } from './load.ts'

const KINDS: Readonly<Record<DrawnKind, { label: string; hint: string }>> = {
  polygon: {
    label: 'Draw an area',
    hint: 'Click its corners on the map; click the first one again, or press Enter, to close it.',
  },
  circle: { label: 'Draw a circle', hint: 'Click the middle, then where the circle should end.' },
  route: {
    label: 'Draw a road',
    hint: 'Click along the road; click the last point again, or press Enter, to end it.',
  },
}

interface AreaFieldProperties {
  readonly area: Area
  readonly incidents: FeatureCollection
  readonly onChange: (area: Area) => void
}

/** The area on a map, drawn by pointer or written as numbers. */
export function AreaField({ area, incidents, onChange }: AreaFieldProperties) {
  const container = useRef<HTMLDivElement>(null)
  const map = useRef<AreaMap | null>(null)
  const [isReady, setReady] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const [drawing, setDrawing] = useState<DrawnKind | null>(null)
  useEffect(() => {
    let isGone = false
    loadAreaMap(container.current!).then(
      (loaded) => {
        if (isGone) return loaded.remove()
        map.current = loaded
        loaded.showArea(area, true)
        setReady(true)
      },
      (error: unknown) => setMessage(`The map cannot be shown: ${messageOf(error)} Write the area as numbers instead.`),
    )
    return () => {
      isGone = true
      map.current?.remove()
    }
  }, [])
  useEffect(() => map.current?.showArea(area, false), [area])
  useEffect(() => map.current?.showIncidents(incidents), [incidents, isReady])
  const draw = (kind: DrawnKind | null) => {
    setDrawing(kind)
    if (kind !== null) onChange(ANYWHERE)
    map.current?.draw(kind, (drawn) => {
      setDrawing(null)
      onChange(drawn)
    })
  }
  return (
    <div class="area-field">
      <div class="row-of-buttons">
        {(Object.keys(KINDS) as DrawnKind[]).map((kind) => (
          <button
            key={kind}
            type="button"
            class="button"
            aria-pressed={drawing === kind}
            disabled={!isReady}
            onClick={() => draw(drawing === kind ? null : kind)}
          >
            {KINDS[kind].label}
          </button>
        ))}
        {(area.kind !== 'anywhere' || drawing !== null) && (
          <button
            type="button"
            class="text-button"
            onClick={() => {
              draw(null)
              onChange(ANYWHERE)
            }}
          >
            Remove the area
          </button>
        )}
      </div>
      <p class="quiet" role="status">
        {message ?? (drawing === null ? areaWords(area) : KINDS[drawing].hint)}
      </p>
      <div class={drawing === null ? 'area-map-frame' : 'area-map-frame drawing'}>
        <div ref={container} class="area-map" aria-busy="true" />
        <div class="zoom">
          <button type="button" class="button" onClick={() => map.current?.zoomBy(1)}>
            <span aria-hidden="true">+</span>
            <span class="hidden">Zoom in</span>
          </button>
          <button type="button" class="button" onClick={() => map.current?.zoomBy(-1)}>
            <span aria-hidden="true">−</span>
            <span class="hidden">Zoom out</span>
          </button>
        </div>
      </div>
      <AreaNumbers
        area={area}
        onChange={(next) => {
          draw(null)
          onChange(next)
          map.current?.showArea(next, true)
        }}
      />
    </div>
  )
}

function areaWords(area: Area): string {
  if (area.kind === 'anywhere') return 'No area: the whole country, as far as the states above allow.'
  if (area.kind === 'polygon') return `An area with ${area.points.length} corners.`
  if (area.kind === 'circle') return `${area.radiusKm} km around a point.`
  if (area.kind === 'route') return `${area.bufferKm} km on both sides of a road of ${area.points.length} points.`
  return 'This watch has an area that cannot be drawn here. It stays as it is unless you remove it.'
}
