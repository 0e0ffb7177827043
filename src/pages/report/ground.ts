import { CachedBody } from '../../api/responses/cached-body.ts'
import { readData, type SettlementRecord } from '../../geo/data.ts'
import { readStateShapes } from '../static-map/state-shapes.ts'

/** Units of the pin's map in a degree: a unit is about a kilometre. */
const UNITS_PER_DEGREE = 100

/**
 * The map behind the pin, loaded when somebody opens it: outlines of the states as paths, and towns
 * as name, x and y, the largest first. x grows to the east and y to the south.
 */
export function pinGround(statesGeoJson: Buffer): CachedBody {
  const states = readStateShapes(statesGeoJson).map(({ rings }) => rings.map(ringPath).join(''))
  const towns = readData<SettlementRecord[]>('settlements.json')
    .toSorted((one, other) => other.population - one.population)
    .map(({ name, lng, lat }) => [name, units(lng), -units(lat)])
  return new CachedBody(Buffer.from(JSON.stringify({ units: UNITS_PER_DEGREE, states, towns })))
}

/** Steps from point to point: most have one digit. */
function ringPath(ring: readonly (readonly [number, number])[]): string {
  let path = ''
  let [lastX, lastY] = [0, 0]
  for (const [lng, lat] of ring) {
    const [x, y] = [units(lng), -units(lat)]
    if (path !== '' && x === lastX && y === lastY) continue
    path += path === '' ? `M${x} ${y}` : `l${x - lastX} ${y - lastY}`
    lastX = x
    lastY = y
  }
  return `${path}z`
}

function units(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE)
}
