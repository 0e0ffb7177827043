import { basename } from 'node:path'
import { ConfigError } from '../config/setting-kinds.ts'
import { importPlaces, type PlacesImport, reasonsOf } from '../desk/gazetteer/import-places.ts'
import { estimatedLocate } from '../geo/geography.ts'
import { randomName } from '../lib/runtime.ts'
import { clockOf } from '../startup/clock.ts'
import { openStoreOf, parseOneArgument, STORE_OPTIONS } from './arguments.ts'
import { openInput } from './import-input.ts'
import type { Terminal } from './terminal.ts'

const USAGE = `incident-feed places import <file|-> [--database-url …]

The file is a country dump of GeoNames (tab-separated, such as NG.txt) or GeoJSON (an export of OpenStreetMap, as
HOT's). All of it is imported or nothing; importing it again changes nothing. See docs/places.md.`

export async function placesCommand([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  if (action !== 'import') throw new ConfigError(`the only action of places is import\n\n${USAGE}`)
  const { values, given: file } = parseOneArgument(args, STORE_OPTIONS, 'name one file', USAGE)
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  terminal.onSignal('SIGINT', stop)
  terminal.onSignal('SIGTERM', stop)
  const input = await openInput(file, terminal, stopping.signal)
  await using store = await openStoreOf(values, terminal)
  const now = (await clockOf(store))()
  const run = { importId: randomName(), locate: estimatedLocate(), now, fileName: basename(input.name) }
  const done = await importPlaces(store, input.open, run)
  terminal.print(sentenceOf(done))
  terminal.print(`The gazetteer has ${await store.gazetteer.count()} places beside the built-in ones.`)
}

function sentenceOf({ source, read, added, changed, unchanged, removed, repeated, leftOut }: PlacesImport): string {
  const format = source === 'geonames' ? 'lines of GeoNames' : 'features of GeoJSON'
  const notes = [
    repeated > 0 ? `; ${repeated} repeat an earlier one` : '',
    removed > 0 ? `; ${removed} stay removed, as the desk decided` : '',
    reasonsOf(leftOut),
  ]
  return `${read} ${format}: ${added} added, ${changed} changed, ${unchanged} unchanged${notes.join('')}.`
}
