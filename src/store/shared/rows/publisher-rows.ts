import type { SourceClass } from '../../../domain/publishers.ts'
import type { PublisherEntry } from '../../store.ts'

export interface PublisherRow {
  key: string
  name: string
  kind: string
  updated_at: number
}

export function publisherOf({ key, name, kind, updated_at }: PublisherRow): PublisherEntry {
  return { key, name, kind: kind as SourceClass, updatedAt: updated_at }
}
