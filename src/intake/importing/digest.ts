import { hash } from 'node:crypto'
import { derivedIdentifier } from '../../domain/identifier.ts'
import type { ParsedReport } from './formats/format.ts'

const DIGEST_LENGTH = 32

/** Derives the incident's id from the id of its row in the source. */
export function incidentIdOf(sourceId: string): string {
  return derivedIdentifier('incident', hash('sha256', sourceId, 'buffer'))
}

/** Digests the content of a row, independently of the order of its properties. */
export function digestOf({ report, radiusKm, quality }: ParsedReport): string {
  return hash('sha256', canonical({ report, radiusKm, quality })).slice(0, DIGEST_LENGTH)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
