import type { Incident } from '../../../../domain/incident.ts'
import { type Format, type ParsedRow, rejected } from '../format.ts'
import { incidentFaults } from '../incident/incident-checks.ts'
import { LineSplitter } from '../splitting/line-splitter.ts'
import { readRows } from '../splitting/read-rows.ts'

/** One incident per line, as in the archive downloads. Rows are numbered by line. */
export const ndjson: Format = {
  read(open, { now, after }) {
    const splitterAt = (offset: number) => new LineSplitter(offset, after?.row ?? 0)
    return readRows(open, after?.offset ?? 0, splitterAt, ({ text }) => parseDocument(text, now))
  },
}

function parseDocument(text: string, now: number): ParsedRow {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    return rejected(`the row is not JSON: ${(error as Error).message}`)
  }
  return parseIncident(document, now)
}

export function parseIncident(document: unknown, now: number): ParsedRow {
  const faults = incidentFaults(document, now)
  if (faults.length > 0) return rejected(faults.join('; '))
  const incident = document as Incident
  return { kind: 'incident', sourceId: incident.id, incident, omits: [] }
}
