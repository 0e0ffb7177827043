import { Archive } from '../../src/archive/archive.ts'
import type { EventKind, Incident } from '../../src/domain/incident.ts'
import type { DocumentChunk, LogEvent, Snapshot } from '../../src/store/store.ts'

export function anEvent(seq: number, incident: Incident, kind: EventKind = 'incident.created'): LogEvent {
  return { seq, kind, at: Date.parse(incident.updated_at), incidentId: incident.id, document: JSON.stringify(incident) }
}

export function emptyArchive(): Promise<Archive> {
  return Archive.load(aSnapshot([]))
}

/** Incidents must be given in published order, as a store gives them. */
export function aSnapshot(incidents: readonly Incident[], chunkSize = 100): Snapshot {
  return { head: { seq: incidents.length, at: 0 }, retracted: [], merged: [], chunks: chunksOf(incidents, chunkSize) }
}

async function* chunksOf(incidents: readonly Incident[], chunkSize: number): AsyncGenerator<DocumentChunk> {
  for (let start = 0; start < incidents.length; start += chunkSize) {
    const documents = incidents.slice(start, start + chunkSize).map((incident) => Buffer.from(JSON.stringify(incident)))
    let end = 0
    const ends = Uint32Array.from(documents, (document) => {
      end += document.length
      return end
    })
    yield { bytes: Buffer.concat(documents), ends }
  }
}

export function incidentsOn(archive: Archive, slots: readonly number[]): Incident[] {
  return slots.map((slot) => JSON.parse(Buffer.from(archive.documentOf(slot)).toString()) as Incident)
}
