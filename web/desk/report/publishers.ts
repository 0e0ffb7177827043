import { type Reliability, reliabilityFrom, type SourceClass } from '../../../src/domain/publishers.ts'
import { request } from '../../shared/parts/request.ts'
import { createStore } from '../../shared/store.ts'

export interface PublisherEntry {
  readonly name: string
  readonly class: SourceClass
  readonly updated_at: string
}

/** The operator's own entries; null until they were read, or without the right to read them. */
export const publisherEntries = createStore<readonly PublisherEntry[] | null>(null)

let isReading = false

export async function readPublishers(): Promise<void> {
  if (isReading) return
  isReading = true
  try {
    const { data } = await request<{ data: PublisherEntry[] }>('GET', '/v1/desk/publishers')
    publisherEntries.set(data)
  } finally {
    isReading = false
  }
}

/** Looks up classes as the service does: its own entries first, then the built-in table. */
export function reliabilityWith(entries: readonly PublisherEntry[] | null): Reliability {
  return reliabilityFrom((entries ?? []).map((entry) => [entry.name, entry.class] as const))
}

export async function classifyPublisher(name: string, kind: SourceClass): Promise<void> {
  await request('POST', '/v1/desk/publishers', { body: { name, class: kind } })
  await readPublishers()
}

export async function removePublisher(name: string): Promise<void> {
  await request('DELETE', `/v1/desk/publishers/${encodeURIComponent(name)}`)
  await readPublishers()
}
