import type { SourceClass } from '../../domain/confidence/weights.ts'

export interface Publisher {
  readonly name: string
  readonly kind: SourceClass
  /** How often it is quoted. */
  readonly weight: number
  /** Where its articles stand; null where it only broadcasts. */
  readonly address: string | null
}

/** Invented, and plainly so: nobody may take a demo for news. */
export const PUBLISHERS: readonly Publisher[] = [
  { name: 'Synthetic Daily', kind: 'national', weight: 26, address: 'https://example.org/daily/' },
  { name: 'Demo Wire', kind: 'national', weight: 22, address: 'https://example.org/wire/' },
  { name: 'Specimen Post', kind: 'national', weight: 16, address: 'https://example.org/post/' },
  { name: 'Placeholder Courier', kind: 'local', weight: 14, address: 'https://example.org/courier/' },
  { name: 'Made-up Echo', kind: 'local', weight: 10, address: 'https://example.org/echo/' },
  { name: 'Pretend Radio', kind: 'local', weight: 7, address: null },
  {
    name: 'Demo Official Bulletin',
    kind: 'official',

    weight: 12,
    address: 'https://example.org/bulletin/',
  },
]
