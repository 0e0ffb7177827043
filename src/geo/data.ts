import { readFileSync } from 'node:fs'
import type { Box } from '../domain/geometry.ts'

/** As `scripts/build-geo.ts` writes them; see data/ATTRIBUTION.md. */
export interface StateRecord {
  readonly code: string
  readonly name: string
  readonly aliases: readonly string[]
}

export interface LgaRecord {
  readonly code: string
  readonly name: string
  readonly state: string
  readonly lat: number
  readonly lng: number
  /** West, south, east, north; null where no source has it. */
  readonly box: readonly [number, number, number, number] | null
  readonly aliases: readonly string[]
}

export function readData<Content>(file: string): Content {
  return JSON.parse(readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8')) as Content
}

export function toBox([west, south, east, north]: readonly [number, number, number, number]): Box {
  return { west, south, east, north }
}
