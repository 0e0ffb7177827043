import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { preferredLanguage } from '../../src/domain/languages.ts'
import { english } from '../../src/i18n/english.ts'

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
