import type { FeatureCollection } from 'geojson'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { numberText } from '../../shared/format.ts'
import { Field } from '../../shared/parts/field.tsx'
import { ANYWHERE, type Area, type DrawnKind } from '../area/area.ts'
import { type SavedArea, shapeOf, shapeText } from '../areas/saved-area.ts'
import type { SiteList } from '../sites/site-list.ts'
import { AreaNumbers } from './area-numbers.tsx'
import { loadAreaMap } from './load.ts'
import { useSmallMap } from './use-small-map.ts'
import { ZoomButtons } from './zoom-buttons.tsx'

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
  /** The areas to choose from, if there is a choice. */
  readonly saved?: readonly SavedArea[]
  readonly siteLists?: readonly SiteList[]
  readonly onChange: (area: Area) => void
}

/** The area on a map: one that is saved, drawn by pointer or written as numbers. */
export function AreaField({ area: chosen, incidents, saved = [], siteLists = [], onChange }: AreaFieldProperties) {
  const entry = chosen.kind === 'saved' ? saved.find(({ id }) => id === chosen.id) : undefined
  const area = useMemo(() => (entry === undefined ? chosen : shapeOf(entry)), [chosen, entry])
  const { container, map, isReady, fault } = useSmallMap(loadAreaMap)
  const [drawing, setDrawing] = useState<DrawnKind | null>(null)
  // What was drawn is in sight; a saved area, or the one that a form begins with, may be elsewhere.
  const isShown = useRef(false)
  useEffect(() => {
    if (!isReady) return
    map.current?.showArea(area, entry !== undefined || !isShown.current)
    isShown.current = true
  }, [area, isReady])
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
      {siteLists.length > 0 && (
        <Field label="Your sites">
          <select
            value={chosen.kind === 'sites' ? chosen.id : ''}
            onChange={({ currentTarget }) => {
              draw(null)
              onChange(currentTarget.value === '' ? ANYWHERE : { kind: 'sites', id: currentTarget.value })
            }}
          >
            <option value="">None: an area, or everywhere</option>
            {siteLists.map(({ id, name, size }) => (
              <option key={id} value={id}>
                {name} ({numberText(size)})
              </option>
            ))}
          </select>
        </Field>
      )}
      {saved.length > 0 && (
        <Field label="Saved area">
          <select
            value={chosen.kind === 'saved' ? chosen.id : ''}
            onChange={({ currentTarget }) => {
              draw(null)
              onChange(currentTarget.value === '' ? ANYWHERE : { kind: 'saved', id: currentTarget.value })
            }}
          >
            <option value="">None: draw one below, or look everywhere</option>
            {saved.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
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
        {(chosen.kind !== 'anywhere' || drawing !== null) && (
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
        {fault !== null
          ? `${fault} Write the area as numbers instead.`
          : drawing === null
            ? areaWords(area, entry, siteLists)
            : KINDS[drawing].hint}
      </p>
      <div class={drawing === null ? 'area-map-frame' : 'area-map-frame drawing'}>
        <div ref={container} class="small-map area-map" aria-busy="true" />
        <ZoomButtons onZoom={(levels) => map.current?.zoomBy(levels)} />
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

function areaWords(area: Area, saved: SavedArea | undefined, siteLists: readonly SiteList[]): string {
  if (area.kind === 'sites') {
    const list = siteLists.find(({ id }) => id === area.id)
    return `${list === undefined ? 'Your sites' : list.name}: near each of them, within its radius. If you replace them under Sites, this watch follows.`
  }
  if (saved !== undefined)
    return `${saved.name}: ${lowerFirst(shapeText(area))}. If you change it under Areas, this watch follows.`
  if (area.kind === 'anywhere') return 'No area: the whole country, as far as the states above allow.'
  if (area.kind === 'saved') return 'This watch looks in a saved area. It stays as it is unless you remove it.'
  if (area.kind === 'kept') return `${shapeText(area)}. It stays as it is unless you draw another.`
  return `${shapeText(area)}.`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
