import type { PlaceSource, StoredPlace } from '../../domain/places.ts'
import type { Locate } from '../../geo/geography.ts'
import type { ImportedPlaces, Store } from '../../store/store.ts'
import { type Open, UnreadableFile } from '../importing/formats/format.ts'
import { LEFT_OUT, type LeftOutReason, readPlaceFile, storedPlace } from './place-files.ts'

/** Enough to see what is wrong with a file; hundreds more would hide it. */
const MAX_FAULTS = 20
const BATCH = 1000
const DAY_MS = 86_400_000
/** More would not fit beside the archive in memory. */
const MAX_PLACES = 400_000

export interface PlacesImport extends ImportedPlaces {
  readonly source: PlaceSource
  readonly read: number
  readonly leftOut: Readonly<Record<LeftOutReason, number>>
  /** Rows whose id an earlier row has. */
  readonly repeated: number
}

/** The file has faults; nothing was stored. */
export class PlacesRefused extends Error {
  override readonly name = 'PlacesRefused'
}

/** Reads a file of places and stores all of it, or nothing; in memory is one batch. */
export async function importPlaces(
  { gazetteer }: Pick<Store, 'gazetteer'>,
  open: Open,
  { importId, locate, now, fileName }: { importId: string; locate: Locate; now: number; fileName: string },
): Promise<PlacesImport> {
  const { source, rows } = await readPlaceFile(open)
  const leftOut = { kind: 0, unnamed: 0, outside: 0, geometry: 0 }
  const faults: string[] = []
  let read = 0
  let places = 0
  let staged = 0
  let batch: StoredPlace[] = []
  const stage = async (): Promise<void> => {
    staged += await gazetteer.stage(importId, batch)
    batch = []
  }
  await gazetteer.discardStaged(now - DAY_MS, importId)
  try {
    for await (const row of rows) {
      read++
      if (row.kind === 'left_out') leftOut[row.reason]++
      else if (row.kind === 'rejected')
        faults.push(`${source === 'geonames' ? 'line' : 'feature'} ${row.row}: ${row.reason}`)
      else if (locate(row.lat, row.lng).kind !== 'located') leftOut.outside++
      else {
        if (++places > MAX_PLACES) throw new UnreadableFile(`the file has more than ${MAX_PLACES} places: split it`)
        if (faults.length === 0) batch.push(storedPlace(source, row, now))
      }
      if (faults.length >= MAX_FAULTS) break
      if (batch.length >= BATCH) await stage()
    }
    if (faults.length > 0) {
      const more = faults.length >= MAX_FAULTS ? '\n… the rest was not read' : ''
      throw new PlacesRefused(`nothing was imported, because the file has faults:\n${faults.join('\n')}${more}`)
    }
    if (places === 0) throw new PlacesRefused(`nothing was imported: the file has no place${reasonsOf(leftOut)}`)
    await stage()
    const by = { accountId: null, keyId: null, name: 'incident-feed places import' }
    const act = { at: now, by, action: 'gazetteer.import', subject: fileName.slice(0, 200), note: null }
    const counts = await gazetteer.applyStaged(importId, now, { ...act, before: null, after: null })
    return { ...counts, source, read, leftOut, repeated: places - staged }
  } catch (error) {
    await gazetteer.discardStaged(0, importId)
    throw error
  }
}

/** "; left out: 3 outside Nigeria". Empty where nothing was. */
export function reasonsOf(leftOut: PlacesImport['leftOut']): string {
  const reasons = (Object.keys(LEFT_OUT) as LeftOutReason[])
    .filter((reason) => leftOut[reason] > 0)
    .map((reason) => `${leftOut[reason]} ${LEFT_OUT[reason]}`)
  return reasons.length === 0 ? '' : `; left out: ${reasons.join(', ')}`
}
