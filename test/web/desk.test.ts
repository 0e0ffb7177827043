import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { COMPARISONS, MATCH_WEIGHTS } from '../../src/domain/near-duplicates.ts'
import { extract } from '../../src/reading/extract.ts'
import type { DeskIncident } from '../../web/desk/desk-api.ts'
import { correctionOf, formOf } from '../../web/desk/facts-form.ts'
import {
  candidateLabel,
  changedByHand,
  choiceLabel,
  EMPTY_FORM,
  filledFrom,
  placeFields,
  reportBody,
  wordsFor,
} from '../../web/desk/filing.ts'
import {
  compareFor,
  DEFAULT_FILTER,
  filterInAddress,
  matchesFilter,
  type QueueFilter,
  queueQuery,
  withRow,
  writeFilter,
} from '../../web/desk/queue-filter.ts'
import { SHORTCUTS, shortcutFor } from '../../web/desk/shortcuts.ts'
import { anchorIn, scrollAfter, visibleRange } from '../../web/desk/virtual-rows.ts'
import { matchWords, passagesIn } from '../../web/desk/words.ts'
import { anIncident } from '../support/incident.ts'

/** Returns an open report with the given changes. */
export function aDeskIncident(
  number: number,
  changes: Partial<DeskIncident> = {},
  desk: Partial<DeskIncident['desk']> = {},
): DeskIncident {
  return {
    ...anIncident(number, { status: 'reported', confirmed_at: null, published_at: null }),
    ...changes,
    desk: {
      origin: 'api',
      claim: null,
      text: null,
      official_sources: [],
      severity_given: false,
      merged_into: null,
      source_id: null,
      possible_duplicates: [],
      ...desk,
    },
  }
}

const OPEN: QueueFilter = { status: 'reported', origin: null, claimed: null, words: '', order: 'newest' }
const minute = (number: number) => `2026-05-01T10:${String(number).padStart(2, '0')}:00Z`

describe('the order of the queue', () => {
  const rows = [3, 2, 1].map((number) => aDeskIncident(number, { reported_at: minute(number) }))

  it('puts a new report at its place, once', () => {
    const compare = compareFor(OPEN)
    const between = aDeskIncident(9, { reported_at: '2026-05-01T10:02:30Z' })
    const ids = withRow(withRow(rows, between, compare), between, compare).map(({ id }) => id)
    assert.deepEqual(ids, [rows[0]!.id, between.id, rows[1]!.id, rows[2]!.id])
  })

  it('has the worst first, and of equals the newest', () => {
    const compare = compareFor({ ...OPEN, order: 'severity' })
    const [low, critical, later] = [
      aDeskIncident(1, { severity: 'low', reported_at: minute(9) }),
      aDeskIncident(2, { severity: 'critical', reported_at: minute(1) }),
      aDeskIncident(3, { severity: 'critical', reported_at: minute(2) }),
    ]
    assert.deepEqual([low, critical, later].toSorted(compare), [later, critical, low])
  })
})

describe('whether a changed incident belongs to the list', () => {
  const now = Date.parse('2026-05-01T12:00:00Z')
  const claim = { by: { account_id: 'acc_amina', name: 'Amina' }, until: '2026-05-01T12:05:00Z' }
  const report = aDeskIncident(1, { summary: 'Gunmen attack Ọ̀yọ́ road' }, { claim, origin: 'tip' })
  const cases: [string, Partial<QueueFilter>, boolean][] = [
    ['its status', {}, true],
    ['another status', { status: 'rejected' }, false],
    ['another origin', { origin: 'api' }, false],
    ['claimed by me', { claimed: 'me' }, true],
    ['claimed by nobody', { claimed: 'none' }, false],
    ['the beginnings of its words, without accents', { words: 'oyo gun' }, true],
    ['a word that it lacks', { words: 'gunmen lagosian' }, false],
  ]
  for (const [name, changes, expected] of cases) {
    it(`${name}: ${expected}`, () => {
      assert.equal(matchesFilter(report, { ...OPEN, ...changes }, 'acc_amina', now), expected)
    })
  }

  it('a claim that has lapsed counts for nobody', () => {
    assert.ok(matchesFilter(report, { ...OPEN, claimed: 'none' }, 'acc_amina', now + 600_000))
  })
})

describe('virtual rows', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ id: `inc_${index}` }))

  it('draws a screen and a margin, wherever one scrolls to', () => {
    for (const top of [0, 5000, 719_000]) {
      const { first, last } = visibleRange(top, 800, 72, rows.length)
      assert.ok(first * 72 <= top && last <= rows.length)
      assert.ok(last - first <= 12 + 2 * 6 + 1, `${last - first} rows`)
    }
  })

  it('keeps the current row where it stands when others arrive above', () => {
    const anchors = anchorIn(rows, 'inc_12', 720, 800, 72)
    assert.equal(anchors[0]!.id, 'inc_12')
    const more = [{ id: 'inc_new' }, ...rows]
    assert.equal(scrollAfter(anchors, 720, { top: 720, maxTop: 9000 }, more, 72), 720 + 72)
  })

  it('lets the rows below move up when the current one is decided', () => {
    const anchors = anchorIn(rows, 'inc_12', 720, 800, 72)
    const left = rows.filter(({ id }) => id !== 'inc_12')
    assert.equal(scrollAfter(anchors, 720, { top: 720, maxTop: 9000 }, left, 72), 720)
  })

  it('keeps what the reader has scrolled since, but not what the browser cut off', () => {
    const anchors = anchorIn(rows, 'inc_12', 720, 800, 72)
    const more = [{ id: 'inc_new' }, ...rows]
    assert.equal(scrollAfter(anchors, 720, { top: 2000, maxTop: 9000 }, more, 72), 2000 + 72)
    const fewer = rows.slice(5, 22)
    assert.equal(scrollAfter(anchors, 720, { top: 424, maxTop: 424 }, fewer, 72), 720 - 5 * 72)
  })
})

test('every member of the filter is asked of the service', () => {
  const filter = { status: 'rejected', origin: 'tip', claimed: 'me', words: ' gusau ', order: 'severity' } as const
  assert.deepEqual(Object.fromEntries(queueQuery(filter, 50, 'next')), {
    ...{ status: 'rejected', limit: '50', order: 'severity', origin: 'tip', claimed_by: 'me', q: 'gusau' },
    cursor: 'next',
  })
})

test('the address has what differs from the default, and gives the same filter back', () => {
  const address = new URLSearchParams('order=oldest&q=old')
  writeFilter(DEFAULT_FILTER, address)
  assert.equal(address.toString(), '')
  const filter = { ...DEFAULT_FILTER, order: 'severity', claimed: 'none', words: 'gusau' } as const
  writeFilter(filter, address)
  assert.deepEqual(filterInAddress(address), filter)
  assert.deepEqual(filterInAddress(new URLSearchParams('order=worst&status=x')), DEFAULT_FILTER)
})

const press = (key: string, changes: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  ...changes,
})

test('every shortcut has a key of its own', () => {
  const keys = Object.values(SHORTCUTS).map(({ key }) => key)
  assert.equal(new Set(keys).size, keys.length)
})

test('a key with a modifier belongs to the browser', () => {
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
    for (const { key } of Object.values(SHORTCUTS)) assert.equal(shortcutFor(press(key, { [modifier]: true })), null)
  assert.equal(shortcutFor(press('C', { shiftKey: true })), null)
  assert.equal(shortcutFor(press('?', { shiftKey: true })), 'help')
})

test('a key that is held down decides once, and moves on as long as it is held', () => {
  assert.equal(shortcutFor(press('c')), 'confirm')
  assert.equal(shortcutFor(press('c', { repeat: true })), null)
  assert.equal(shortcutFor(press('j', { repeat: true })), 'next')
})

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

describe('why two reports may be one incident', () => {
  it('names what speaks for it and what against it, the strongest first', () => {
    const words = matchWords([
      { reason: 'place_name', finding: 'same', weight: 4 },
      { reason: 'casualties', finding: 'contradict', weight: -2.5 },
      { reason: 'time', finding: 'same_day', weight: 2 },
      { reason: 'type', finding: 'related', weight: 0 },
    ])
    assert.deepEqual(words, {
      for: ['the same place name', 'the same day'],
      against: ['casualties that contradict'],
    })
  })

  it('has words for every finding that weighs', () => {
    for (const reason of COMPARISONS) {
      for (const [finding, weight] of Object.entries(MATCH_WEIGHTS[reason])) {
        const { for: speaks, against } = matchWords([{ reason, finding, weight } as never])
        assert.equal(speaks.length + against.length, weight === 0 ? 0 : 1, `${reason}: ${finding}`)
      }
    }
  })
})

const STORY = 'Bandits on Sunday at about 2am killed nine people in Maradun, Zamfara State.'
const [candidate] = extract({ text: STORY, published_at: '2026-11-11' })

test('a candidate fills in the form, in the time of Nigeria', () => {
  const { type, date, time, state, killed, injured, text } = filledFrom(candidate!, STORY, EMPTY_FORM)
  assert.deepEqual(
    { type, date, time, state, killed, injured, text },
    { type: 'banditry', date: '2026-11-08', time: '02:00', state: 'Zamfara', killed: '9', injured: '', text: STORY },
  )
  assert.equal(wordsFor('killed', candidate!), 'killed nine')
  assert.equal(wordsFor('abducted', candidate!), null)
})

test('what another candidate had filled in does not remain, the words of the editor do', () => {
  const before = { ...EMPTY_FORM, abducted: '4', place: 'Gusau', text: 'My words' }
  const { abducted, place, text } = filledFrom(candidate!, STORY, before)
  assert.deepEqual([abducted, place, text], ['', 'Maradun', 'My words'])
})

test('the precision of the story is sent until the time is changed by hand', () => {
  const filled = filledFrom(candidate!, STORY, EMPTY_FORM)
  const body = reportBody(filled) as Record<string, unknown>
  assert.deepEqual([body.occurred_at, body.time_precision], ['2026-11-08T02:00:00+01:00', 'hour'])
  assert.equal('time_precision' in reportBody(changedByHand(filled, 'time', '02:10')), false)
  assert.equal('time_precision' in reportBody(changedByHand(filled, 'killed', '3')), true)
})

test('a town of the name of its LGA is named, the LGA itself is not named twice', () => {
  const ifelodun = { name: 'Ifelodun', lga: 'Ifelodun', state: 'Osun' }
  assert.equal(placeFields({ ...ifelodun, precision: 'lga' }).place, '')
  assert.equal(placeFields({ ...ifelodun, precision: 'settlement' }).place, 'Ifelodun')
  const [asked] = extract({ text: 'Gunmen abducted a doctor in Ifelodun.' })
  assert.equal(candidateLabel(asked!), 'Kidnapping, Ifelodun')
  assert.equal(candidateLabel(candidate!), 'Banditry, Maradun, Zamfara')
  assert.ok(asked!.place_choices.map(choiceLabel).includes('Ifelodun LGA, Osun'))
})
