import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldAccents } from '../../../src/lib/text/fold-accents.ts'

const CASES: [string, string][] = [
  ['kaduna', 'kaduna'],
  ['Jema’a', 'jemaa'],
  ['ƊANDUME', 'dandume'],
  ['Ọ̀yọ́', 'oyo'],
  ['Ɓirnin Ƙudu', 'birnin kudu'],
  ['Zango-Kataf', 'zango-kataf'],
]

for (const [text, plain] of CASES) {
  test(`${text} is ${plain} without accents`, () => assert.equal(foldAccents(text), plain))
}
