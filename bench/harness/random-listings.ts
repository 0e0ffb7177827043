/** Random listings for the archive suite, written as clients write them; the same in every run. */

import { SEVERITIES, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { type Listing, parseListing } from '../../src/filter/listing.ts'
import { places } from '../../src/geo/places.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { FROM, UNTIL } from './data.ts'

type Question = Record<string, string>

const random = seededRandom(7)
const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
const within = (least: number, most: number): number => least + (most - least) * random()
const state = () => pick(places.states).code
const several = (values: readonly string[], count: number) =>
  [...new Set(Array.from({ length: count }, () => pick(values)))].join(',')
const day = (time: number) => new Date(time).toISOString().slice(0, 10)

/** A random window of the ten years, as `from` and `to` or as `since`. */
function window(): Question {
  if (random() < 0.5) return { since: `${Math.ceil(within(30, 3650))}d` }
  const from = within(FROM, UNTIL - 60 * 86_400_000)
  return { from: day(from), to: day(within(from + 30 * 86_400_000, UNTIL)) }
}

const WHOLE_ARCHIVE = { from: day(FROM - 86_400_000) }

export const LISTING_KINDS = {
  fiveFilters: () => ({
    state: state(),
    type: pick(TYPE_NAMES),
    min_severity: pick(SEVERITIES),
    min_confidence: within(0.3, 0.95).toFixed(2),
    ...window(),
  }),
  /** Hardly any incident has this confidence, so the search reaches the end of the archive. */
  fiveFiltersFew: () => ({
    state: state(),
    type: pick(TYPE_NAMES),
    min_severity: 'critical',
    min_confidence: '0.97',
    ...WHOLE_ARCHIVE,
  }),
  /** No incident has this confidence, and only the first index helps. */
  fiveFiltersNone: () => ({
    state: state(),
    type: pick(TYPE_NAMES),
    min_severity: 'medium',
    min_confidence: '1',
    ...WHOLE_ARCHIVE,
  }),
  /** Lists of values in every filter that takes them, so postings must be merged. */
  fiveListsNone: () => ({
    state: several(
      places.states.map(({ code }) => code),
      5,
    ),
    type: several(TYPE_NAMES, 4),
    min_severity: 'medium',
    min_confidence: '1',
    ...WHOLE_ARCHIVE,
  }),
  /**
   * Boxes of 0.05° to 0.2°: around an LGA's centre, where incidents are, or anywhere, with few or
   * none.
   */
  smallBox: () => {
    const lga = pick(places.lgas)
    const anywhere = random() < 0.5
    const lat = anywhere ? within(4.3, 13.8) : lga.lat + within(-0.1, 0.1)
    const lng = anywhere ? within(2.8, 14.5) : lga.lng + within(-0.1, 0.1)
    const half = within(0.025, 0.1)
    return { bbox: [lng - half, lat - half, lng + half, lat + half].map((side) => side.toFixed(4)).join(',') }
  },
  everything: () => ({}),
  newestOfState: () => ({ state: state() }),
} as const satisfies Record<string, () => Question>

export function listings(name: keyof typeof LISTING_KINDS, count: number): Listing[] {
  return Array.from({ length: count }, () => parseListing(new URLSearchParams(LISTING_KINDS[name]()), places))
}
