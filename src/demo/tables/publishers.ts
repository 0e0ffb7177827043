export interface Publisher {
  readonly name: string
  readonly kind: 'official' | 'national' | 'local' | 'radio'
  /** What it adds to the confidence, in hundredths. */
  readonly reliability: number
  /** How often it is quoted. */
  readonly weight: number
  /** Where its articles stand; null where it only broadcasts. */
  readonly address: string | null
}

/** Invented, and plainly so: nobody may take a demo for news. */
export const PUBLISHERS: readonly Publisher[] = [
  { name: 'Synthetic Daily', kind: 'national', reliability: 19, weight: 26, address: 'https://example.org/daily/' },
  { name: 'Demo Wire', kind: 'national', reliability: 21, weight: 22, address: 'https://example.org/wire/' },
  { name: 'Specimen Post', kind: 'national', reliability: 16, weight: 16, address: 'https://example.org/post/' },
  { name: 'Placeholder Courier', kind: 'local', reliability: 11, weight: 14, address: 'https://example.org/courier/' },
  { name: 'Made-up Echo', kind: 'local', reliability: 8, weight: 10, address: 'https://example.org/echo/' },
  { name: 'Pretend Radio', kind: 'radio', reliability: 9, weight: 7, address: null },
  {
    name: 'Demo Official Bulletin',
    kind: 'official',
    reliability: 25,
    weight: 12,
    address: 'https://example.org/bulletin/',
  },
]

/** A hundredth each. The base, three sources, the best publisher and an exact place come to 0.98. */
export const BASE_CONFIDENCE = 30
export const SOURCE_WEIGHTS = [8, 20, 31] as const
export const PRECISION_WEIGHTS = { exact: 12, settlement: 7, lga: 0, state: -6 } as const
