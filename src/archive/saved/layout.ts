import { crc32 } from 'node:zlib'
import { SUFFIX_LENGTH } from '../../domain/identifier.ts'
import { NO_DATASET, PRECISIONS } from '../../domain/incident.ts'
import { SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import type { IndexedFields } from '../../filter/indexed-fields.ts'
import { Columns } from '../columns/columns.ts'

/**
 * Raise it when the files change, or when a migration rewrites documents in the database: files of
 * another layout are not read.
 */
export const LAYOUT = 2

const EXAMPLES: readonly IndexedFields[] = [0, 1, 2].map((number) => ({
  publishedAt: Date.UTC(2026, number),
  occurredAt: Date.UTC(2025, number, 3),
  state: `state ${number}`,
  lga: number === 0 ? null : `lga ${number}`,
  type: TYPE_NAMES[number]!,
  severity: SEVERITIES[number]!,
  confidence: 0.25 * number,
  lat: 4.56789 + 3.3 * number,
  lng: 3.21098 + 4.4 * number,
  precision: PRECISIONS[number]!,
  dataset: number === 0 ? NO_DATASET : `dataset ${number}`,
  killed: number === 0 ? null : 17 * number,
  injured: 300 * number,
  abducted: number,
}))

/**
 * Describes what the columns of this build hold, by those of three examples: another way to number,
 * to project or to pack them, or another byte order, gives another description.
 */
export function describeColumns(): string {
  const columns = new Columns()
  for (const [slot, fields] of EXAMPLES.entries()) columns.set(slot, String(slot).repeat(SUFFIX_LENGTH), fields)
  const arrays = Object.entries(columns.arrays()).map(([name, array]) => {
    const used = array.subarray(0, EXAMPLES.length * (array.length / columns.publishedAt.length))
    const bytes = new Uint8Array(used.buffer, used.byteOffset, used.byteLength)
    return `${name} ${array.BYTES_PER_ELEMENT} ${crc32(bytes).toString(16)}`
  })
  return [...arrays, TYPE_NAMES.join(), SEVERITIES.join(), PRECISIONS.join()].join('; ')
}
