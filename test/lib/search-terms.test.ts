import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foundAs, parseTerms } from '../../src/lib/search-terms.ts'

const TERMS: [string, string[]][] = [
  ['gunmen market', ['gunmen', 'market']],
  ['Gunmen GUNMEN gun* Jema’a', ['gun', 'gunmen', 'jemaa']],
  ['"Gonin  Gora" gun', ['"gonin gora"', 'gun']],
  ['“Gonin-Gora”,„Ọ̀ṣun”', ['"gonin gora"', '"osun"']],
  ['a"b"c', ['"b"', 'a', 'c']],
  ['12*, "Jema\'a"', ['"jemaa"', '12']],
]

for (const [text, terms] of TERMS) {
  test(`${text} is searched as ${terms.join(', ')}`, () => {
    assert.deepEqual(parseTerms(text), { terms })
    assert.deepEqual(parseTerms(terms.join(' ')), { terms }, 'the canonical text means the same')
  })
}

const FAULTS: [string, RegExp][] = [
  ['*', /a \* that does not end a word/],
  ['gun *', /a \* that does not end a word/],
  ['*men', /a \* that does not end a word/],
  ['gun**', /a \* that does not end a word/],
  ['kid*nap', /a \* that does not end a word/],
  ['"gonin gora"*', /a \* that does not end a word/],
  ['"gonin gor*"', /a \* in a phrase/],
  ['"gonin gora', /without its counterpart/],
  ['a "b" c"', /without its counterpart/],
  ['a ""', /quotation marks without a word/],
  ['" - "', /quotation marks without a word/],
  ['- !', /no letter and no digit/],
]

for (const [text, fault] of FAULTS) {
  test(`${text} is refused`, () => {
    const parsed = parseTerms(text)
    assert.match('fault' in parsed ? parsed.fault : JSON.stringify(parsed), fault)
  })
}

test('a word is found where it begins one, a phrase where it stands whole', () => {
  const text = ' gunmen in gonin gora '
  for (const [term, expected] of [
    ['gun', true],
    ['men', false],
    ['"gonin gora"', true],
    ['"gonin gor"', false],
    ['"onin gora"', false],
  ] as const)
    assert.equal(text.includes(foundAs(term)), expected, term)
})
