import type { Incident } from '../../../../domain/incident.ts'
import { type Format, type Meaning, rejected } from '../format.ts'
import { incidentFaults } from '../incident/incident-checks.ts'
import { Lines } from '../splitting/lines.ts'
import { readPieces } from '../splitting/pieces.ts'

/** One incident document a line, as our own archive gives them. Rows are numbered by line. */
export const ndjson: Format = {
  read(open, { now, after }) {
    const splitterAt = (offset: number) => new Lines(offset, after?.row ?? 0)
    return readPieces(open, after?.offset ?? 0, splitterAt, ({ text }) => documentMeaning(text, now))
  },
}

function documentMeaning(text: string, now: number): Meaning {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    return rejected(`the row is not JSON: ${(error as Error).message}`)
  }
  return incidentMeaning(document, now)
}

export function incidentMeaning(document: unknown, now: number): Meaning {
  const faults = incidentFaults(document, now)
  if (faults.length > 0) return rejected(faults.join('; '))
  const incident = document as Incident
  return { kind: 'incident', sourceId: incident.id, incident, omits: [] }
}
