import { crc32 } from 'node:zlib'
import type { LogHead, MergedIncident } from '../../store/store.ts'
import type { SavedFile, Section } from './files.ts'
import { describeColumns, LAYOUT } from './layout.ts'
import type { LogSample } from './log-samples.ts'
import { UnusableFiles } from './unusable.ts'

/** The killed, injured and abducted of a slot. */
export type LargeCasualties = readonly [slot: number, number | null, number | null, number | null]

/** Which files make up a saved archive, and what is too small for a file of its own. */
export interface Manifest {
  readonly head: LogHead
  readonly samples: readonly (LogSample | null)[]
  readonly incidents: number
  /** The file of columns and document ranges, one after the other. */
  readonly index: { readonly name: string; readonly sections: readonly Section[] }
  /** In the order in which ranges number them. */
  readonly slabs: readonly SavedFile[]
  readonly dictionaries: Readonly<Record<string, readonly string[]>>
  readonly hasFinerConfidences: boolean
  readonly largeCasualties: readonly LargeCasualties[]
  readonly retracted: readonly string[]
  readonly merged: readonly MergedIncident[]
}

export function namesIn({ index, slabs }: Manifest): string[] {
  return [index.name, ...slabs.map(({ name }) => name)]
}

/** The first line is the checksum of the second. */
export function encodeManifest(manifest: Manifest): string {
  const text = JSON.stringify({ layout: LAYOUT, columns: describeColumns(), ...manifest })
  return `${crc32(text)}\n${text}`
}

export function decodeManifest(encoded: string): Manifest {
  const end = encoded.indexOf('\n')
  const text = encoded.slice(end + 1)
  if (end < 0 || encoded.slice(0, end) !== String(crc32(text)))
    throw new UnusableFiles('the list of files is damaged: its checksum differs')
  const { layout, columns, ...manifest } = JSON.parse(text) as Manifest & { layout: number; columns: string }
  if (layout !== LAYOUT) throw new UnusableFiles(`the files have layout ${layout}; this build reads ${LAYOUT}`)
  if (columns !== describeColumns()) throw new UnusableFiles('the files are of a build with other columns')
  return manifest
}
