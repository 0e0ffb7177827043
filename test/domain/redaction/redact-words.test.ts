import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSearchable, WordRedactor } from '../../../src/domain/redaction.ts'

const CASES: [what: string, words: string[], text: string, redacted: string][] = [
  ['a name', ['Amina Bello'], 'Gunmen took Amina Bello.', 'Gunmen took [redacted].'],
  ['any case', ['Amina Bello'], 'AMINA BELLO and amina bello', '[redacted] and [redacted]'],
  ['a possessive', ['Bello'], "Bello's house, Bello’s son", "[redacted]'s house, [redacted]’s son"],
  ['other separators', ['Amina Bello'], 'amina-bello, Amina  Bello, amina_bello', '[redacted], [redacted], [redacted]'],
  ['an escaped space', ['Amina Bello'], 'search?q=amina%20bello', 'search?q=[redacted]'],
  ['accents in the text', ['Adeola'], 'Adéọlá was freed', '[redacted] was freed'],
  ['decomposed accents', ['Adéọlá'], 'Ade\u0301o\u0323la\u0301 and Adeola', '[redacted] and [redacted]'],
  ['hooked letters', ['Danjuma Kabir'], 'Ɗanjuma Ƙaɓir', '[redacted]'],
  ['a hyphen in the word', ['Okon-Jaja'], 'Okon Jaja; Okon-Jaja', '[redacted]; [redacted]'],
  ['the longest first', ['Bello', 'Amina Bello'], 'Amina Bello, Bello', '[redacted], [redacted]'],
  ['not inside another word', ['Ali'], 'Alimosho, Wali, Ali', 'Alimosho, Wali, [redacted]'],
  ['characters of patterns', ['A. (B+) [C]'], 'it was a b c', 'it was [redacted]'],
  ['digits', ['0803 123'], 'call 0803-123 now', 'call [redacted] now'],
  ['no match: the same text', ['Amina'], 'Ade\u0301', 'Ade\u0301'],
]

for (const [what, words, text, redacted] of CASES) {
  test(`words are found: ${what}`, () => {
    assert.equal(new WordRedactor(words).redactText(text), redacted)
  })
}

test('what was found is counted for each word', () => {
  const redactor = new WordRedactor(['Bello', 'Amina Bello', 'Nobody'])
  redactor.redactText('Amina Bello, Bello')
  redactor.redactText('Bello')
  assert.deepEqual(redactor.found, [2, 1, 0])
})

test('a word needs two letters or digits', () => {
  assert.deepEqual(['a', '. .', 'é', 'Al', 'x1', '李明'].map(isSearchable), [false, false, false, true, true, true])
})
