import { acled } from './acled/acled.ts'
import { csv } from './csv/csv.ts'
import type { Format } from './format.ts'
import { geojson } from './json/geojson.ts'
import { ndjson } from './json/ndjson.ts'
import { ucdp } from './ucdp/ucdp.ts'

export const FORMATS = { ucdp, acled, csv, geojson, ndjson } as const satisfies Record<string, Format>
export type FormatName = keyof typeof FORMATS

/** These accept `--map`: their columns may have foreign names. */
export const MAPPABLE_FORMATS: readonly FormatName[] = ['csv', 'geojson']
