import type { Client } from './clients/client.ts'

/** An event in the log, as `/v1/changes` returns it. */
export interface LoggedEvent {
  readonly seq: number
  /** Opaque: a client goes on from here. */
  readonly position: string
  readonly event: string
  /** The time of the commit. */
  readonly at: string
  readonly incident_id: string
  /** Null once the incident is retracted. */
  readonly incident: Record<string, unknown> | null
}

/** An event with the version of the incident that it produced. */
export interface VersionedEvent extends LoggedEvent {
  readonly version: number
}

const PAGE_SIZE = 200

/** Reads all events of the log from `/v1/changes`, with the version that each produced. */
export async function readEvents(client: Client): Promise<VersionedEvent[]> {
  const events: LoggedEvent[] = []
  for (let after = '0', hasMore = true; hasMore; ) {
    const { status, body } = await client.requestUntilAnswered('GET', `/v1/changes?after=${after}&limit=${PAGE_SIZE}`)
    // Another node may be behind the one that returned the previous page.
    if (status !== 200) throw new Error(`reading the changes got status ${status}: ${JSON.stringify(body)}`)
    events.push(...(body.data as LoggedEvent[]))
    after = body.next_after as string
    hasMore = body.has_more as boolean
  }
  return withVersions(events)
}

/** Each event of an incident makes one version, the first of them version 1. */
export function withVersions(events: readonly LoggedEvent[]): VersionedEvent[] {
  const versions = new Map<string, number>()
  return events.map((event) => {
    const version = (versions.get(event.incident_id) ?? 0) + 1
    versions.set(event.incident_id, version)
    return { ...event, version }
  })
}
