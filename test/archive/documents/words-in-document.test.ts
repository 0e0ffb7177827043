import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordTest } from '../../../src/archive/documents/words-in-document.ts'
import { summaryHasWords } from '../../../src/filter/matches.ts'
import { foldedWords } from '../../../src/lib/text.ts'
import fc from '../../support/fast-check.ts'
import { anIncident } from '../../support/incident.ts'

/** Between other bytes, as in a slab. */
function documentHasWords(document: Uint8Array, words: readonly string[]): boolean {
  const around = Buffer.from('"summary":"gunmen market school","sources":[')
  const slab = Buffer.concat([around, document, around])
  return wordTest(words)(slab, around.length, around.length + document.length)
}

const bytesOf = (summary: string) => new TextEncoder().encode(JSON.stringify(anIncident(1, { summary })))

const CASES: [string, string, boolean][] = [
  ['Gunmen attacked a market in Gonin Gora.', 'gunmen market', true],
  ['Gunmen attacked a market in Gonin Gora.', 'GORA gun', true],
  ['Gunmen attacked a market in Gonin Gora.', 'men', false],
  ['Gunmen attacked a market in Gonin Gora.', 'gunmen school', false],
  ["Kidnappers in Jema'a.", 'jemaa', true],
  ['Kidnappers in Jema’a, Ọ̀ṣun.', 'jemaa osun', true],
  ['Men in Ƙaura said "stop".', 'kaura stop', true],
  ['A line\nbreak and a \\ backslash', 'break backslash', true],
  ['Ends with a quote "', 'quote', true],
  ['12 villagers, 3 vehicles', '12 3', true],
  ['12 villagers', '2', false],
  ['words","sources":[ in the text', 'sources', true],
  ['', 'anything', false],
  ["'Gunmen' of O'Brien's", 'gunmen obriens', true],
  ['a b c d e f g hi', 'h g f e d c b a', true],
  ['a b c d e f g', 'h g f e d c b a', false],
  [`${'word '.repeat(1000)}end`, 'end', true],
  [`${'word '.repeat(1000)}end`, 'other', false],
]

for (const [summary, q, expected] of CASES) {
  test(`${JSON.stringify(summary).slice(0, 60)} ${expected ? 'has' : 'does not have'} ${q}`, () => {
    const words = foldedWords(q)
    assert.equal(summaryHasWords(summary, words), expected)
    assert.equal(documentHasWords(bytesOf(summary), words), expected)
  })
}

test('the document is read as the summary means, for any text', () => {
  const parts = [
    'gunmen',
    'Gun',
    "Jema'a",
    'Ọ̀ṣun',
    '"',
    '\\',
    '12',
    ' ',
    ',',
    '-',
    '","sources":[',
    '_',
    '`',
    '\n',
    'ß',
    'İ',
  ]
  const summary = fc.oneof(
    fc.array(fc.constantFrom(...parts)).map((list) => list.join('')),
    fc.string({ unit: 'binary' }),
  )
  const q = fc.oneof(fc.constantFrom('gun', 'jemaa', 'osun', '12', 'sources', 'ss', 'i'), summary)
  fc.assert(
    fc.property(summary, q, (text, asked) => {
      const words = foldedWords(asked)
      fc.pre(words.length > 0)
      assert.equal(documentHasWords(bytesOf(text), words), summaryHasWords(text.toWellFormed(), words))
    }),
    { numRuns: 2000 },
  )
})

test('a document in another order is parsed', () => {
  const { summary, ...rest } = anIncident(1, { summary: 'Gunmen in a market' })
  const document = new TextEncoder().encode(JSON.stringify({ ...rest, summary }, null, 1))
  assert.equal(documentHasWords(document, ['market']), true)
  assert.equal(documentHasWords(document, ['school']), false)
})
