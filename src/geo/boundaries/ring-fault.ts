import { inBox } from '../../domain/geometry.ts'
import { type Ring, signedArea } from '../area.ts'

/** Nigeria with a margin: a file of another country, or one in metres, is found out by it. */
const NIGERIA = { west: 2.3, south: 3.8, east: 15, north: 14.2 }

/** What makes the ring useless for telling inside from outside; null where nothing does. */
export function ringFault(ring: Ring): string | null {
  if (ring.length < 8) return 'a ring has fewer than four positions'
  for (let at = 0; at < ring.length; at += 2) {
    const lng = ring[at]!
    const lat = ring[at + 1]!
    if (!inBox(NIGERIA, lat, lng)) return `a position lies outside Nigeria: ${lng}, ${lat}`
  }
  if (ring[0] !== ring[ring.length - 2] || ring[1] !== ring[ring.length - 1]) return 'a ring is not closed'
  if (signedArea(ring) === 0) return 'a ring encloses nothing'
  return null
}

interface Side {
  readonly fromX: number
  readonly fromY: number
  readonly toX: number
  readonly toY: number
  readonly order: number
}

/** Whether two sides of the ring cross. Rings of simplified files sometimes do, by metres: worth a warning, not a refusal. */
export function crossesItself(ring: Ring): boolean {
  const sides: Side[] = []
  for (let at = 2; at < ring.length; at += 2) {
    sides.push({ fromX: ring[at - 2]!, fromY: ring[at - 1]!, toX: ring[at]!, toY: ring[at + 1]!, order: at / 2 - 1 })
  }
  const west = ({ fromX, toX }: Side): number => Math.min(fromX, toX)
  const byWest = [...sides].sort((one, other) => west(one) - west(other))
  for (const [at, one] of byWest.entries()) {
    const east = Math.max(one.fromX, one.toX)
    for (let next = at + 1; next < byWest.length && west(byWest[next]!) <= east; next++) {
      const other = byWest[next]!
      const apart = Math.abs(one.order - other.order)
      if (apart > 1 && apart < sides.length - 1 && cross(one, other)) return true
    }
  }
  return false
}

function cross(one: Side, other: Side): boolean {
  const turn = (side: Side, x: number, y: number): number =>
    Math.sign((side.toX - side.fromX) * (y - side.fromY) - (side.toY - side.fromY) * (x - side.fromX))
  return (
    turn(one, other.fromX, other.fromY) * turn(one, other.toX, other.toY) < 0 &&
    turn(other, one.fromX, one.fromY) * turn(other, one.toX, one.toY) < 0
  )
}
