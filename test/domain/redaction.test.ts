import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incident } from '../../src/domain/incident.ts'
import { EMPTY_MODERATION_RECORD } from '../../src/domain/moderation.ts'
import {
  type Coarse,
  ContentRedactor,
  isSearchable,
  REDACTABLE_FIELD_NAMES,
  type RedactableField,
  WordRedactor,
} from '../../src/domain/redaction.ts'
import { anIncident } from '../support/incident.ts'

const COARSE: Coarse = { lat: 10, lng: 7, precision: 'lga', radius_km: 25 }
const redactorOf = (fields: readonly RedactableField[], words: readonly string[] = []) =>
  new ContentRedactor({ fields, words }, () => COARSE)

const incident = anIncident(1, {
  summary: 'Amina Bello was taken.',
  sources: [
    { url: 'https://a.example/amina-bello-taken', publisher: 'Bello News', published_at: null },
    { url: 'https://a.example/2', publisher: 'Daily', published_at: null },
  ],
  casualties: { killed: 0, injured: null, abducted: 1 },
})

const FIELD_RESULTS: [RedactableField, Partial<Incident>][] = [
  ['summary', { summary: '[redacted]' }],
  ['text', {}],
  ['sources', { sources: [] }],
  ['notes', {}],
  ['place', { location: { ...incident.location, place: null } }],
  ['point', { lat: 10, lng: 7, location: { ...incident.location, precision: 'lga', radius_km: 25 } }],
  ['casualties', { casualties: { killed: null, injured: null, abducted: null } }],
  // It belongs to the tip, not to the incident.
  ['contact', {}],
]

for (const [field, changes] of FIELD_RESULTS) {
  test(`${field} is taken out of an incident, and nothing else`, () => {
    assert.deepEqual(redactorOf([field]).redactIncident(incident), { ...incident, ...changes })
  })
}

test('every field has a test, and the order of members stays', () => {
  assert.deepEqual(
    FIELD_RESULTS.map(([field]) => field),
    REDACTABLE_FIELD_NAMES,
  )
  const all = redactorOf(REDACTABLE_FIELD_NAMES).redactIncident(incident)
  assert.deepEqual(Object.keys(all), Object.keys(incident))
})

test('words are taken out of every text, and an address with them as a whole', () => {
  const redactor = redactorOf([], ['Amina', 'Bello', 'Kaduna'])
  const redacted = redactor.redactIncident({ ...incident, location: { ...incident.location, place: "Bello's farm" } })
  assert.equal(redacted.summary, '[redacted] [redacted] was taken.')
  assert.equal(redacted.location.place, "[redacted]'s farm")
  assert.deepEqual(redacted.sources, [
    { url: null, publisher: '[redacted] News', published_at: null },
    { url: 'https://a.example/2', publisher: 'Daily', published_at: null },
  ])
  // The state is a value of a list, not a text.
  assert.equal(redacted.state, 'Kaduna')
})

test('the contact of a tip goes if it is chosen, or with a word in it', () => {
  const contact = 'amina@example.org'
  assert.equal(redactorOf(['contact']).erasesContact(contact), true)
  assert.equal(redactorOf([], ['Amina']).erasesContact(contact), true)
  assert.equal(redactorOf(['summary'], ['Bello']).erasesContact(contact), false)
})

test('old and new values of the history are taken out', () => {
  const figures = [{ source: 'Bello News', killed: 1, injured: null, abducted: null }]
  const changes = [
    { field: 'summary', old: 'Amina', new: 'A woman' },
    { field: 'sources', old: incident.sources, new: [] },
    { field: 'location', old: { ...incident.location, place: 'Bello farm' }, new: incident.location },
    { field: 'lat', old: 10.4512, new: 10.5 },
    { field: 'casualties', old: incident.casualties, new: incident.casualties },
    { field: 'casualties_reported', old: null, new: figures },
    { field: 'desk.text', old: 'Amina Bello', new: null },
    { field: 'type', old: 'kidnapping', new: 'banditry' },
  ]
  const of = (field: RedactableField) => redactorOf([field]).redactChanges(changes)
  assert.deepEqual(of('summary')[0], { field: 'summary', old: '[redacted]', new: '[redacted]' })
  assert.deepEqual(of('summary').slice(1), changes.slice(1))
  assert.deepEqual(of('sources')[1], { field: 'sources', old: [], new: [] })
  assert.deepEqual((of('sources')[5]!.new as typeof figures)[0]!.source, '[redacted]')
  assert.equal((of('place')[2]!.old as Incident['location']).place, null)
  assert.equal((of('point')[2]!.old as Incident['location']).precision, 'lga')
  assert.deepEqual(of('point')[3], { field: 'lat', old: null, new: null })
  assert.deepEqual(of('casualties')[5], { field: 'casualties_reported', old: null, new: null })
  assert.deepEqual(of('text')[6], { field: 'desk.text', old: null, new: null })
  const text = JSON.stringify(redactorOf([], ['Amina', 'Bello']).redactChanges(changes))
  assert.doesNotMatch(text, /Amina|Bello|amina|bello/)
})

test('the text of the report, the official sources and the notes are taken out', () => {
  const moderation = { ...EMPTY_MODERATION_RECORD, text: 'Amina Bello', official: [0] }
  assert.equal(redactorOf(['text']).redactModeration(moderation).text, null)
  assert.deepEqual(redactorOf(['sources']).redactModeration(moderation).official, [])
  assert.equal(redactorOf([], ['Bello']).redactModeration(moderation).text, 'Amina [redacted]')
  assert.equal(redactorOf(['notes']).redactNote('Amina'), '[redacted]')
  assert.equal(redactorOf(['notes']).redactNote(null), null)
  assert.equal(redactorOf([], ['Amina']).redactNote('by Amina'), 'by [redacted]')
})

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
