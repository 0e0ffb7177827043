import type { EventKind, Incident } from '../../../src/domain/incident.ts'

/** A change as `/v1/changes` and the stream return it. */
export interface StreamedChange {
  seq: number
  event: EventKind
  at: string
  incident_id: string
  incident: Incident | null
}
