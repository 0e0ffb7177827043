import type { PlaceSource } from '../../domain/places.ts'
import { type Open, type Position, UnreadableFile } from '../importing/formats/format.ts'
import { FeatureSplitter } from '../importing/formats/json/feature-splitter.ts'
import { LineSplitter } from '../importing/formats/splitting/line-splitter.ts'
import { readRows } from '../importing/formats/splitting/read-rows.ts'
import type { ParsedPlaceRow } from './parsed-place.ts'
import { parseFeature } from './read-geojson.ts'
import { parseGeoNamesLine } from './read-geonames.ts'

export type PlaceFileRow = Position & ParsedPlaceRow

export interface PlaceFile {
  readonly source: PlaceSource
  readonly rows: AsyncIterable<PlaceFileRow>
}

/** Tells the format by the first characters, and reads row by row. */
export async function readPlaceFile(open: Open): Promise<PlaceFile> {
  const input = open(0)[Symbol.asyncIterator]()
  const first = await input.next()
  if (first.done) throw new UnreadableFile('the file is empty')
  const whole = (): AsyncIterable<Uint8Array> => startingWith(first.value, input)
  const start = Buffer.from(first.value)
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
  // U+001E begins each feature of a sequence (RFC 8142).
  if (['[', '{', '\u001e'].includes(start.slice(0, 1))) {
    const splitterAt = (offset: number) => new FeatureSplitter(offset, 0, null)
    return { source: 'geojson', rows: readRows(whole, 0, splitterAt, ({ value }) => parseFeature(value)) }
  }
  const splitterAt = (offset: number) => new LineSplitter(offset, 0)
  return { source: 'geonames', rows: readRows(whole, 0, splitterAt, ({ text }) => parseGeoNamesLine(text)) }
}

/** A stream cannot be read again from its beginning. */
async function* startingWith(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
