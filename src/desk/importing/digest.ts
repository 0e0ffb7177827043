import { hash } from 'node:crypto'
import { derivedIdentifier } from '../../domain/identifier.ts'
import type { ParsedReport } from './formats/format.ts'

const DIGEST_LENGTH = 32

export function incidentIdOf(sourceId: string): string {
  return derivedIdentifier('incident', hash('sha256', sourceId, 'buffer'))
}

/** Independent of the order of properties. */
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
