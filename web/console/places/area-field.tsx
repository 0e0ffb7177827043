import type { FeatureCollection } from 'geojson'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Area as SavedArea, SiteList } from '../../../client/src/generated/types.ts'
import { Button, Field, Select, typed } from '../../shared/parts/controls.tsx'
import { loadSmallMap, useSmallMap } from '../../shared/parts/load-small-map.ts'
import { numberText } from '../../shared/text.ts'
import { initialData } from '../person.ts'
import {
  ANYWHERE,
  type Area,
  DEFAULT_BUFFER_KM,
  type DrawnKind,
  pointsText,
  readPoints,
  shapeOf,
  shapeText,
} from './area.ts'

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
  const { container, map, isReady, fault } = useSmallMap(async (element) => {
    const [{ createAreaMap }, parts] = await loadSmallMap(import('./area-map.ts'), initialData)
    return createAreaMap(element, parts)
  })
  const [drawing, setDrawing] = useState<DrawnKind | null>(null)
  // A drawn area is in sight; a saved one, or the one that a form begins with, may be elsewhere.
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
  const replace = (next: Area) => {
    draw(null)
    onChange(next)
  }
  const choose = (kind: 'saved' | 'sites') => (id: string) => replace(id === '' ? ANYWHERE : { kind, id })
  return (
    <div class="area-field">
      {siteLists.length > 0 && (
        <Field label="Your sites">
          <Select
            value={chosen.kind === 'sites' ? chosen.id : ''}
            none="None: an area, or everywhere"
            options={Object.fromEntries(siteLists.map(({ id, name, size }) => [id, `${name} (${numberText(size)})`]))}
            onChoose={choose('sites')}
          />
        </Field>
      )}
      {saved.length > 0 && (
        <Field label="Saved area">
          <Select
            value={chosen.kind === 'saved' ? chosen.id : ''}
            none="None: draw one below, or look everywhere"
            options={Object.fromEntries(saved.map(({ id, name }) => [id, name]))}
            onChoose={choose('saved')}
          />
        </Field>
      )}
      <div class="row-of-buttons">
        {(Object.keys(KINDS) as DrawnKind[]).map((kind) => (
          <Button
            label={KINDS[kind].label}
            key={kind}
            aria-pressed={drawing === kind}
            disabled={!isReady}
            onClick={() => draw(drawing === kind ? null : kind)}
          />
        ))}
        {(chosen.kind !== 'anywhere' || drawing !== null) && (
          <Button class="text-button" label="Remove the area" onClick={() => replace(ANYWHERE)} />
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
          replace(next)
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

const SHAPES: Readonly<Record<DrawnKind, string>> = { polygon: 'Area', circle: 'Circle', route: 'Road' }
const LEAST_POINTS = { polygon: 3, circle: 1, route: 2 } as const

/** The area by keyboard: points as numbers, a radius or a distance from the road. */
function AreaNumbers({ area, onChange }: { area: Area; onChange: (area: Area) => void }) {
  const [kind, setKind] = useState<DrawnKind>('polygon')
  const [text, setText] = useState('')
  const [distance, setDistance] = useState(String(DEFAULT_BUFFER_KM))
  const [problem, setProblem] = useState<string | null>(null)
  // A drawn area is shown as numbers too.
  useEffect(() => {
    if (area.kind === 'anywhere' || area.kind === 'kept' || 'id' in area) return
    setKind(area.kind)
    setText(pointsText(area.kind === 'circle' ? [area.centre] : area.points))
    if (area.kind === 'circle') setDistance(String(area.radiusKm))
    if (area.kind === 'route') setDistance(String(area.bufferKm))
    setProblem(null)
  }, [area])
  const apply = () => {
    const read = readPoints(text)
    if ('problem' in read) return setProblem(read.problem)
    const { points } = read
    const km = Number(distance)
    if (points.length < LEAST_POINTS[kind])
      return setProblem(
        `${SHAPES[kind]}: at least ${LEAST_POINTS[kind] === 1 ? 'one point is' : `${LEAST_POINTS[kind]} points are`} needed.`,
      )
    if (kind !== 'polygon' && !(km > 0)) return setProblem('The distance must be a number of kilometres.')
    setProblem(null)
    if (kind === 'polygon') onChange({ kind, points })
    else if (kind === 'circle') onChange({ kind, centre: points[0]!, radiusKm: km })
    else onChange({ kind, points, bufferKm: km })
  }
  return (
    <details class="area-numbers">
      <summary>Write it as numbers</summary>
      <div class="fields">
        <Field label="Shape">
          <Select value={kind} options={SHAPES} onChoose={setKind} />
        </Field>
        {kind !== 'polygon' && (
          <Field label={kind === 'circle' ? 'Radius in km' : 'Distance from the road in km'}>
            <input inputMode="decimal" {...typed(distance, setDistance)} />
          </Field>
        )}
        <Field
          label={kind === 'circle' ? 'Middle: latitude, longitude' : 'Points: latitude, longitude, one in each line'}
          wide
        >
          <textarea rows={kind === 'circle' ? 1 : 4} placeholder="10.52, 7.44" {...typed(text, setText)} />
        </Field>
      </div>
      <p role="alert" class="failure-note">
        {problem}
      </p>
      <Button label="Use these numbers" onClick={apply} />
    </details>
  )
}

export function ZoomButtons({ onZoom }: { onZoom: (levels: 1 | -1) => void }) {
  return (
    <div class="zoom">
      <button type="button" class="button" onClick={() => onZoom(1)}>
        <span aria-hidden="true">+</span>
        <span class="hidden">Zoom in</span>
      </button>
      <button type="button" class="button" onClick={() => onZoom(-1)}>
        <span aria-hidden="true">−</span>
        <span class="hidden">Zoom out</span>
      </button>
    </div>
  )
}
