import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { LANGUAGE_CODES, preferredLanguage } from '../../src/domain/languages.ts'
import { type Catalogue, english, loadLanguage, type Message } from '../../src/i18n/translate.ts'

describe('translating', () => {
  it('chooses the form by the number, also by one that is written with commas', () => {
    assert.equal(english('common.incidents', { count: 1 }), '1 incident')
    assert.equal(english('common.incidents', { count: 0 }), '0 incidents')
    assert.equal(english('common.incidents', { count: '1,234' }), '1,234 incidents')
  })

  it('prefers the first known language of a reader', () => {
    assert.equal(preferredLanguage(['fr-FR', 'ha-NG', 'en']), 'ha')
    assert.equal(preferredLanguage(['de']), 'en')
  })
})

const FOLDER = new URL('../../src/i18n/catalogues/', import.meta.url)
const AREAS = readdirSync(new URL('en/', FOLDER))

function readCatalogue(language: string, area: string): Catalogue {
  return JSON.parse(readFileSync(new URL(`${language}/${area}`, FOLDER), 'utf8')) as Catalogue
}

const keysOf = (catalogue: Catalogue) => Object.keys(catalogue).filter((key) => !key.startsWith('_'))
const formsOf = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))
const placeholdersOf = (message: Message) =>
  [...new Set(formsOf(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].toSorted()

for (const language of LANGUAGE_CODES) {
  describe(`the catalogue of ${language}`, () => {
    for (const area of AREAS) {
      it(`has every sentence of ${area}, no other, and the same placeholders`, () => {
        const [english, translated] = [readCatalogue('en', area), readCatalogue(language, area)]
        const missing = keysOf(english).filter((key) => !Object.hasOwn(translated, key))
        assert.deepEqual(missing, [], `missing in ${language}/${area}`)
        assert.deepEqual(
          keysOf(translated).filter((key) => !Object.hasOwn(english, key)),
          [],
          'not in English',
        )
        for (const [key, message] of Object.entries(english)) {
          if (key.startsWith('_')) continue
          const other = translated[key]!
          assert.equal(typeof other, typeof message, `${key}: one form or two, as in English`)
          assert.deepEqual(placeholdersOf(other), placeholdersOf(message), key)
          for (const text of formsOf(other)) assert.notEqual(text.trim(), '', key)
        }
      })
    }
  })
}

it('marks every translation as a draft until a speaker has reviewed it; English is none', async () => {
  for (const language of LANGUAGE_CODES)
    assert.equal(
      (await loadLanguage(language)).draft,
      language !== 'en' && readCatalogue(language, 'common.json')._status === 'draft',
    )
  assert.equal((await loadLanguage('en')).draft, false)
  assert.equal((await loadLanguage('ha')).draft, true)
})
