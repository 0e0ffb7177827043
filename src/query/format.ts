/** How incidents may be written, and what each is called in `Accept` and `Content-Type`. The first is given where nobody asks. */
export const FORMATS = {
  json: 'application/json',
  geojson: 'application/geo+json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const
export type FormatName = keyof typeof FORMATS

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[]
