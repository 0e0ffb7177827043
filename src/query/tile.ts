import type { FieldError } from '../domain/errors.ts'
import { invalidParameters } from './listing.ts'

/** A square of the map: at zoom z the world is 2^z of them across and down, counted from the north-west. */
export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** Deeper than this, a map enlarges: a tile is 600 m wide, and few incidents are known more precisely. */
export const MAX_ZOOM = 16

export function parseTile(texts: Readonly<Record<'z' | 'x' | 'y', string>>): Tile {
  const z = wholeNumber(texts.z)
  if (z === null || z > MAX_ZOOM)
    throw invalidParameters([{ parameter: 'z', message: `must be a whole number from 0 to ${MAX_ZOOM}` }])
  const most = 2 ** z - 1
  const [x, y] = [wholeNumber(texts.x), wholeNumber(texts.y)]
  const message = `must be a whole number from 0 to ${most} at zoom ${z}`
  const errors: FieldError[] = []
  if (x === null || x > most) errors.push({ parameter: 'x', message })
  if (y === null || y > most) errors.push({ parameter: 'y', message })
  if (x === null || y === null || errors.length > 0) throw invalidParameters(errors)
  return { z, x, y }
}

function wholeNumber(text: string): number | null {
  return /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : null
}
