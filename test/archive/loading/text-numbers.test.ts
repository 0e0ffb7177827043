import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Dictionary } from '../../../src/archive/columns/dictionary.ts'
import { TextNumbers } from '../../../src/archive/loading/text-numbers.ts'

function reading(dictionary: Dictionary) {
  const numbers = new TextNumbers(dictionary)
  return (json: string) => {
    const bytes = Buffer.from(json)
    return numbers.numberAt(bytes, 1, bytes.length)
  }
}

test('texts are read up to their quote, whether seen before or not', () => {
  const dictionary = new Dictionary(['NG-KN', ''])
  const read = reading(dictionary)
  for (const text of ['NG-KD', 'NG-KD', 'NG-KN', 'NG-KN', '', 'a longer text', 'NG-KD'])
    assert.equal(dictionary.textOf(read(`"${text}","x"`)), text)
  assert.deepEqual(dictionary.texts, ['NG-KN', '', 'NG-KD', 'a longer text'])
})

test('escapes, other bytes and a text without an end are left to a parser', () => {
  const dictionary = new Dictionary()
  for (const json of ['"a\\n"', '"Ọ̀ṣun"', '"unended']) assert.equal(reading(dictionary)(json), -1, json)
  assert.equal(dictionary.size, 0)
})

test('two texts with the same hash stay two', () => {
  // FNV-1a without an offset has the same hash for a text and for it after zero bytes.
  const dictionary = new Dictionary()
  const read = reading(dictionary)
  const texts = ['\0Kaduna', 'Kaduna', '\0Kaduna', 'Kaduna']
  assert.deepEqual(
    texts.map((text) => dictionary.textOf(read(`"${text}"`))),
    texts,
  )
})

test('more texts than there are entries keep their numbers', () => {
  const dictionary = new Dictionary()
  const read = reading(dictionary)
  for (let round = 0; round < 2; round++)
    for (let number = 0; number < 9000; number++) assert.equal(read(`"text ${number}"`), number)
})
