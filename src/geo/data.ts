import { readFileSync } from 'node:fs'
import type { Box } from '../lib/geometry.ts'

/** Records as written by `scripts/build-geo.ts`; see data/ATTRIBUTION.md. */
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
  /** West, south, east, north; null where no source has a correct one. */
  readonly box: readonly [number, number, number, number] | null
  readonly aliases: readonly string[]
}

export interface SettlementRecord {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly state: string
  /** Null where the source does not state it, or states an impossible one. */
  readonly lga: string | null
  /** 0 where unknown. */
  readonly population: number
  readonly others: readonly string[]
}

/** Mean of latitude (`KM_PER_DEGREE`) and longitude. Radii and grid depend on the exact value. */
export const MEAN_KM_PER_DEGREE = 110.9

/** Sorted by code; the grid numbers LGAs in this order. */
export const stateRecords = readData<readonly StateRecord[]>('states.json')
export const lgaRecords = readData<readonly LgaRecord[]>('lgas.json')

export function readData<Content>(file: string): Content {
  return JSON.parse(readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8')) as Content
}

export function toBox([west, south, east, north]: readonly [number, number, number, number]): Box {
  return { west, south, east, north }
}
