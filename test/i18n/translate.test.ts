import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it, test } from 'node:test'
import { LANGUAGE_CODES, preferredLanguage } from '../../src/domain/languages.ts'
import { ageText, eventAge, trendText } from '../../src/i18n/texts.ts'
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

describe('texts', () => {
  test('an age is given in the largest fitting unit, from 60 days on as a date', () => {
    const now = Date.parse('2026-11-15T12:00:00Z')
    const cases = {
      '2026-11-15T11:59:30Z': 'just now',
      '2026-11-15T11:55:00Z': '5 min ago',
      '2026-11-15T10:00:00Z': '2 h ago',
      '2026-11-12T12:00:00Z': '3 days ago',
      '2020-01-01T00:00:00Z': '1 Jan 2020',
      '2026-11-15T12:05:00Z': 'just now',
    }
    for (const [time, expected] of Object.entries(cases)) assert.equal(ageText(time, now, english), expected)
  })

  test('a month is compared in a sentence', () => {
    // October begins in Lagos an hour before it does in UTC.
    const october = { start: Date.parse('2026-09-30T23:00:00Z'), observed: 1400, isOver: true, isComplete: true }
    const usual = { from: 5, to: 1009 }
    const cases = [
      [{ ...october, usual }, '1,400 in October 2026; 5 to 1,009 would be usual.'],
      [{ ...october, usual: { from: 5, to: 5 } }, '1,400 in October 2026; 5 would be usual.'],
      [
        { ...october, usual, isComplete: false },
        '1,400 in October 2026; 5 to 1,009 would be usual. Reports of it are still coming in.',
      ],
      [
        { ...october, usual, isOver: false, isComplete: false },
        '1,400 so far this month; 5 to 1,009 would be usual for a whole month.',
      ],
      [{ ...october, usual: null }, '1,400 in October 2026.'],
      [{ ...october, usual: null, isOver: false, isComplete: false }, '1,400 so far this month.'],
    ] as const
    for (const [trend, text] of cases) assert.equal(trendText(trend, english), text)
  })

  /** 00:30 in Lagos on 16 November. */
  const NOW = Date.parse('2026-11-15T23:30:00Z')
  const CASES = [
    ['2026-11-15T20:30:00Z', 'exact', 'hours', 3],
    ['2026-11-15T23:29:50Z', 'exact', 'now', 0],
    ['2026-11-15T23:10:00Z', 'hour', 'minutes', 20],
    ['2026-11-16T00:00:00Z', 'day', 'today', 0],
    ['2026-11-15T00:00:00Z', 'day', 'yesterday', 1],
    ['2026-11-13T00:00:00Z', 'day', 'days', 3],
    ['2026-08-01T00:00:00Z', 'day', 'date', 107],
    ['2026-11-09T00:00:00Z', 'week', 'week', 0],
    ['2026-11-01T00:00:00Z', 'month', 'month', 0],
    ['2026-01-01T00:00:00Z', 'year', 'year', 0],
  ] as const
  for (const [occurred_at, time_precision, unit, count] of CASES) {
    test(`${occurred_at} known to the ${time_precision}: ${unit} ${count}`, () =>
      assert.deepEqual(eventAge({ occurred_at, time_precision }, NOW), { unit, count }))
  }
})
