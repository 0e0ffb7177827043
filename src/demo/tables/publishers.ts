import type { SourceClass } from '../../domain/publishers.ts'

export interface Publisher {
  readonly name: string
  readonly kind: SourceClass
  /** Relative frequency of quotes. */
  readonly weight: number
  /** Base URL of its articles; null for broadcasters. */
  readonly address: string | null
}

/** Publishers with invented names that cannot be mistaken for real ones. */
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
