import { type FieldError, invalidParameters } from '../domain/errors.ts'

/** A map tile: at zoom z the world has 2^z by 2^z tiles, counted from the north-west corner. */
export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** Beyond this zoom (tiles of 600 m) the map enlarges tiles: few locations are more precise. */
export const MAX_ZOOM = 16

export function parseTile(texts: Readonly<Record<'z' | 'x' | 'y', string>>): Tile {
  const z = wholeNumber(texts.z)
  if (z === null || z > MAX_ZOOM)
    throw invalidParameters([{ parameter: 'z', message: `must be a whole number from 0 to ${MAX_ZOOM}` }])
  const max = 2 ** z - 1
  const [x, y] = [wholeNumber(texts.x), wholeNumber(texts.y)]
  const message = `must be a whole number from 0 to ${max} at zoom ${z}`
  const errors: FieldError[] = []
  if (x === null || x > max) errors.push({ parameter: 'x', message })
  if (y === null || y > max) errors.push({ parameter: 'y', message })
  if (x === null || y === null || errors.length > 0) throw invalidParameters(errors)
  return { z, x, y }
}

function wholeNumber(text: string): number | null {
  return /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : null
}
