import { useEffect, useState } from 'preact/hooks'
import { Field } from '../../shared/parts/field.tsx'
import { type Area, DEFAULT_BUFFER_KM, type DrawnKind } from '../area/area.ts'
import { pointsText, readPoints } from '../area/points-text.ts'

const SHAPES: Readonly<Record<DrawnKind, string>> = { polygon: 'Area', circle: 'Circle', route: 'Road' }
const LEAST_POINTS = { polygon: 3, circle: 1, route: 2 } as const

/** The area by keyboard: points as numbers, a radius or a distance from the road. */
export function AreaNumbers({ area, onChange }: { area: Area; onChange: (area: Area) => void }) {
  const [kind, setKind] = useState<DrawnKind>('polygon')
  const [text, setText] = useState('')
  const [distance, setDistance] = useState(String(DEFAULT_BUFFER_KM))
  const [problem, setProblem] = useState<string | null>(null)
  // What was drawn is shown as numbers too.
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
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as DrawnKind)}>
            {Object.entries(SHAPES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        {kind !== 'polygon' && (
          <Field label={kind === 'circle' ? 'Radius in km' : 'Distance from the road in km'}>
            <input
              inputMode="decimal"
              value={distance}
              onInput={({ currentTarget }) => setDistance(currentTarget.value)}
            />
          </Field>
        )}
        <Field
          label={kind === 'circle' ? 'Middle: latitude, longitude' : 'Points: latitude, longitude, one in each line'}
          wide
        >
          <textarea
            rows={kind === 'circle' ? 1 : 4}
            placeholder="10.52, 7.44"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </Field>
      </div>
      <p role="alert" class="failure-note">
        {problem}
      </p>
      <button type="button" class="button" onClick={apply}>
        Use these numbers
      </button>
    </details>
  )
}
