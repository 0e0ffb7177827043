import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { correctionOf, formOf } from '../../../web/desk/report/corrections.ts'
import { passagesIn } from '../../../web/desk/report/evidence.ts'
import { aDeskIncident } from './a-desk-incident.ts'

describe('a correction', () => {
  const incident = aDeskIncident(1, { occurred_at: '2026-05-01T23:30:00Z', time_precision: 'hour' })
  const form = formOf(incident)

  it('shows times as in Lagos', () => assert.deepEqual([form.date, form.time], ['2026-05-02', '00:30']))

  it('is nothing if nothing was changed, a note aside', () => {
    assert.equal(correctionOf(form, form), null)
    assert.equal(correctionOf(form, { ...form, note: 'why' }), null)
  })

  const cases: [string, Partial<typeof form>, object][] = [
    ['one figure', { killed: '3' }, { casualties: { killed: 3 } }],
    ['a figure that is not known after all', { killed: '' }, { casualties: { killed: null } }],
    [
      'the place, which is replaced as a whole',
      { place: 'Kujama' },
      { place: 'Kujama', lga: form.lga, state: form.state },
    ],
    ['the time', { time: '01:15' }, { occurred_at: '2026-05-02T01:15:00+01:00', time_precision: 'hour' }],
    ['the confidence', { confidence: '60', note: 'seen by us' }, { confidence: 0.6, note: 'seen by us' }],
  ]
  for (const [name, changes, body] of cases) {
    it(`sends ${name}`, () => {
      const before = name.includes('after all') ? { ...form, killed: '2' } : form
      assert.deepEqual(correctionOf(before, { ...form, ...changes }), body)
    })
  }
})

describe('the words that fields were read from', () => {
  const marked = (text: string, place: string) => {
    const incident = aDeskIncident(1)
    const shown = {
      ...incident,
      location: { ...incident.location, place },
      casualties: { killed: 3, injured: null, abducted: 18 },
    }
    return passagesIn(text, shown).flatMap((passage) => (passage.field === null ? [] : [passage.text]))
  }

  it('are names of the place and numbers of casualties, as whole words', () => {
    const text = 'Gonin-Gora: three killed, 18 abducted, 180 fled; threefold.'
    assert.deepEqual(marked(text, 'Gonin Gora'), ['Gonin-Gora', 'three', '18'])
  })

  it('a name with signs of a pattern is only a name', () => {
    assert.deepEqual(marked('At (a+)+ nobody was hurt', '(a+)+'), ['(a+)+'])
  })

  it('nothing is lost of the text', () => {
    const text = 'x three y 18 z'
    assert.equal(
      passagesIn(text, aDeskIncident(1))
        .map((passage) => passage.text)
        .join(''),
      text,
    )
  })
})
