export const CSV_COLUMNS = [
  'id',
  'type',
  'category',
  'severity',
  'state',
  'lga',
  'lat',
  'lng',
  'place',
  'precision',
  'radius_km',
  'state_code',
  'lga_code',
  'lga_basis',
  'confidence',
  'summary',
  'killed',
  'injured',
  'abducted',
  'occurred_at',
  'time_precision',
  'reported_at',
  'confirmed_at',
  'published_at',
  'updated_at',
  'status',
  'version',
  'source_urls',
  'source_publishers',
  'occurred_until',
  'casualties_reported',
  'dataset',
  'attribution',
] as const
export type CsvColumn = (typeof CSV_COLUMNS)[number]

/** Separates the entries of `source_urls` and `source_publishers`. */
export const LIST_SEPARATOR = '|'

/** Files written before these columns existed lack them. */
const LATER_COLUMNS: readonly CsvColumn[] = ['occurred_until', 'casualties_reported', 'dataset', 'attribution']
export const REQUIRED_COLUMNS = CSV_COLUMNS.filter((column) => !LATER_COLUMNS.includes(column))
