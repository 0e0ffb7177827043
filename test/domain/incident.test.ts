import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { derivedIdentifier, isIdentifier, newIdentifier } from '../../src/domain/identifier.ts'
import { type Casualties, SEVERITY_THRESHOLDS, STATUSES, severityOf } from '../../src/domain/incident.ts'
import { type Decided, mayTransition, TRANSITIONS } from '../../src/domain/moderation.ts'
import { timeFault } from '../../src/domain/report.ts'
import { BOILERPLATE, MAX_SUMMARY_LENGTH, normalizeSummary } from '../../src/domain/summary.ts'
import {
  BASE_SEVERITY,
  CATEGORY_NAMES,
  categoryOf,
  type IncidentType,
  SEVERITIES,
  type Severity,
  severitiesFrom,
  TYPE_NAMES,
  typesIn,
} from '../../src/domain/taxonomy.ts'
import fc, { anyText } from '../support/fast-check.ts'
import { tries } from '../support/tier.ts'

const casualties = (given: Partial<Casualties>): Casualties => ({
  killed: null,
  injured: null,
  abducted: null,
  ...given,
})

const CASES: [IncidentType, Partial<Casualties>, Severity][] = [
  ['protest', {}, 'low'],
  ['protest', { killed: 0, injured: 0, abducted: 0 }, 'low'],
  ['protest', { injured: 1 }, 'medium'],
  ['protest', { killed: 1 }, 'high'],
  ['armed_robbery', {}, 'medium'],
  ['armed_robbery', { injured: 10 }, 'high'],
  ['explosion', { injured: 50 }, 'critical'],
  ['banditry', { killed: 9 }, 'high'],
  ['banditry', { killed: 10 }, 'critical'],
  ['banditry', { killed: 4, abducted: 6 }, 'critical'],
  ['kidnapping', {}, 'high'],
  ['kidnapping', { abducted: 3 }, 'high'],
  ['kidnapping', { abducted: 11 }, 'critical'],
  ['mass_abduction', {}, 'critical'],
  ['homicide', {}, 'high'],
  ['hostage_release', { abducted: 120 }, 'low'],
  ['hostage_release', { abducted: 120, killed: 2 }, 'high'],
]

for (const [type, given, severity] of CASES) {
  test(`${type} with ${JSON.stringify(given)} is ${severity}`, () => {
    assert.equal(severityOf(type, casualties(given)), severity)
  })
}

const figure = fc.option(fc.integer({ min: 0, max: 120 }))

test('more casualties never make it milder, and to learn of some neither', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TYPE_NAMES),
      fc.record({ killed: figure, injured: figure, abducted: figure }),
      fc.constantFrom('killed', 'injured', 'abducted'),
      fc.integer({ min: 0, max: 60 }),
      (type, before, name, more) => {
        const after = { ...before, [name]: (before[name] ?? 0) + more }
        const rank = (given: Casualties) => SEVERITIES.indexOf(severityOf(type, given))
        assert.ok(rank(after) >= rank(before))
      },
    ),
  )
})

test('docs/reports.md has the same tables', async () => {
  const page = await readFile(new URL('../../docs/reports.md', import.meta.url), 'utf8')
  for (const severity of SEVERITIES) {
    const types = TYPE_NAMES.filter((type) => BASE_SEVERITY[type] === severity)
    assert.ok(page.includes(`| ${severity} | ${types.map((type) => `\`${type}\``).join(', ')} |`), severity)
  }
  const steps = [...page.matchAll(/^\| (\d+) (injured|killed or abducted) \| (\w+) \|$/gm)]
  assert.deepEqual(
    steps.map(([, least, harm, severity]) => ({ harm, least: Number(least), severity })),
    SEVERITY_THRESHOLDS,
  )
})

test('every type has one category, and every category a type', () => {
  assert.deepEqual(CATEGORY_NAMES.flatMap(typesIn).toSorted(), TYPE_NAMES.toSorted())
  for (const category of CATEGORY_NAMES) for (const type of typesIn(category)) assert.equal(categoryOf(type), category)
})

test('names are lowercase with underscores', () => {
  for (const name of [...TYPE_NAMES, ...CATEGORY_NAMES]) assert.match(name, /^[a-z]+(_[a-z]+)*$/)
})

test('a least severity means it and all that are worse', () => {
  assert.deepEqual(severitiesFrom('high'), ['high', 'critical'])
})

describe('lifecycle', () => {
  test('a report is confirmed or rejected, what is confirmed is retracted, and both ends have a way back', () => {
    const allowed = (Object.keys(TRANSITIONS) as Decided[]).flatMap((move) =>
      STATUSES.filter((status) => mayTransition(move, status)).map((status) => `${status} → ${TRANSITIONS[move].to}`),
    )
    assert.deepEqual(allowed, [
      'reported → confirmed',
      'reported → rejected',
      'confirmed → retracted',
      'rejected → reported',
      'retracted → confirmed',
    ])
  })

  test('the world hears of what it knew or now knows, and of nothing else', () => {
    assert.deepEqual(Object.fromEntries(Object.entries(TRANSITIONS).map(([move, { event }]) => [move, event])), {
      confirm: 'incident.created',
      reject: null,
      retract: 'incident.retracted',
      reopen: null,
      restore: 'incident.updated',
    })
  })
})

describe('identifier', () => {
  test('identifiers are recognised, and sort by the time they were made', () => {
    const moment = fc.integer({ min: 0, max: 2 ** 47 })
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [first, second] = [
          newIdentifier('incident', one, randomBytes),
          newIdentifier('incident', other, randomBytes),
        ]
        assert.ok(isIdentifier('incident', first) && isIdentifier('incident', second))
        if (one !== other) assert.equal(first < second, one < other)
      }),
    )
  })

  test('what is not one of ours is not recognised', () => {
    for (const text of [
      '',
      'inc_',
      'inc_01jd8z',
      `key_${'0'.repeat(26)}`,
      `inc_${'u'.repeat(26)}`,
      `inc_${'0'.repeat(27)}`,
      `INC_${'0'.repeat(26)}`,
    ]) {
      assert.equal(isIdentifier('incident', text), false, text)
    }
  })

  test('the same hash gives the same identifier, another hash another', () => {
    const bytes = fc.uint8Array({ minLength: 26, maxLength: 64 })
    fc.assert(
      fc.property(bytes, fc.nat({ max: 25 }), fc.integer({ min: 1, max: 31 }), (hash, place, change) => {
        const derived = derivedIdentifier('incident', hash)
        assert.ok(isIdentifier('incident', derived))
        assert.equal(derivedIdentifier('incident', Uint8Array.from(hash)), derived)
        const other = Uint8Array.from(hash, (byte, index) => (index === place ? byte ^ change : byte))
        assert.notEqual(derivedIdentifier('incident', other), derived)
      }),
    )
    assert.throws(() => derivedIdentifier('incident', new Uint8Array(16)), RangeError)
  })
})

describe('summary', () => {
  const PLAIN: [what: string, text: string, summary: string][] = [
    ['a final stop is added', 'Gunmen killed two', 'Gunmen killed two.'],
    ['a stop, a question mark or a stop before a quote is enough', 'He said “leave.”', 'He said “leave.”'],
    ['a loose end goes', 'Gunmen killed two –', 'Gunmen killed two.'],
    [
      'lines and spaces of every kind are one space',
      ' Two\r\n\tdead\u00a0in\u2003\u2028Jos\u0085today. ',
      'Two dead in Jos today.',
    ],
    ['letters and their marks are composed', 'Rotimi A\u0301kere\u0300', 'Rotimi Ákerè.'],
    ['what parts a letter from its mark goes, and they are composed', 'e\u200b\u0301', 'é.'],
    ['control characters go', 'Two\u0000 dead\u0007\u001b in\u007f Jos', 'Two dead in Jos.'],
    ['marks of direction and of zero width go', '\ufeff\u202eTwo\u2066 de\u200bad\u200f', 'Two dead.'],
    ['tag characters and fillers go', 'Two\u{e0041} dead\u3164', 'Two dead.'],
    ['a half of a surrogate pair goes', '\udc00Two\ud83d dead\ud83d', 'Two dead.'],
    ['halves that were apart make no new character', 'Two \ud83d\u200b\ude00dead', 'Two dead.'],
    ['a whole pair stays', 'Two dead 😀', 'Two dead 😀.'],
    [
      'script and markup stay as text',
      '<script>alert(1)</script> & <b>Jos</b>',
      '<script>alert(1)</script> & <b>Jos</b>.',
    ],
    ['entities stay as text', 'Two &lt;b&gt; dead', 'Two &lt;b&gt; dead.'],
    ['other scripts stay', 'قتل مسلحون شخصين؟', 'قتل مسلحون شخصين؟'],
  ]

  for (const [what, text, summary] of PLAIN) test(what, () => assert.equal(normalizeSummary(text), summary))

  const OUTLETS: [rule: string, text: string, summary: string][] = [
    ['a label at the start', 'BREAKING: Two dead', 'Two dead.'],
    ['a label at the start', '🚨 JUST IN | UPDATE: Two dead!', 'Two dead!'],
    ['a label at the start', 'Breaking News - Two dead', 'Two dead.'],
    ['a label in brackets', '[Photos] Two dead (VIDEO) in Jos [PHOTOS/VIDEO]', 'Two dead in Jos.'],
    ["an agency's dateline", 'ABUJA (Reuters) - Two dead', 'Two dead.'],
    ["an agency's dateline", 'MAIDUGURI, Nigeria (AP) — Two dead', 'Two dead.'],
    ["an agency's dateline", 'ABUJA, Nov 3 (Xinhua) -- Two dead', 'Two dead.'],
    ['a dateline with a day', 'Lagos, Nov. 3, 2025 (NAN) Two dead', 'Two dead.'],
    ['a dateline with a day', 'Kaduna, 3 November 2025 – Two dead', 'Two dead.'],
    ['a byline', 'By our correspondent: Two dead', 'Two dead.'],
    ['an invitation to read on', 'Two dead. Read more at https://punchng.com/a.b/?c=1.', 'Two dead.'],
    ['an invitation to read on', 'Two dead. READ ALSO: Five held in Oyo. Police came.', 'Two dead. Police came.'],
    ['an invitation to read on', 'Two dead… Continue reading', 'Two dead…'],
    ['the footer of a feed', 'Two dead. The post Two dead appeared first on Premium Times Nigeria.', 'Two dead.'],
    ['a notice of copyright', 'Two dead. Copyright PUNCH. All rights reserved. No copies.', 'Two dead.'],
    ['outlets in brackets at the end', 'Two dead (Punch)', 'Two dead.'],
    ['outlets in brackets at the end', 'Two dead. (Source: Daily Trust, THE NATION).', 'Two dead.'],
    ['an outlet after a dash at the end', 'Two dead - Vanguard News', 'Two dead.'],
    ['an outlet after a dash at the end', 'Two dead | Daily Post Nigeria', 'Two dead.'],
    ['a source line at the end', 'Two dead. Source: Some Blog', 'Two dead.'],
    ['a link at the end', 'Two dead https://t.co/abc', 'Two dead.'],
    ['the mark of a text cut off', 'Two dead and […]', 'Two dead and…'],
  ]

  for (const [rule, text, summary] of OUTLETS) {
    test(`${rule} goes: ${text}`, () => assert.equal(normalizeSummary(text), summary))
  }

  test('every rule is tried here and described in docs/reports.md, and no other is', async () => {
    const page = await readFile(new URL('../../docs/reports.md', import.meta.url), 'utf8')
    const section = page.split(/^## /m).find((part) => part.startsWith('The summary'))!
    const documented = [...section.matchAll(/^\| ([^|]+) \| `/gm)].map(([, what]) => what)
    const rules = BOILERPLATE.map(({ what }) => what)
    assert.deepEqual(documented, rules)
    assert.deepEqual([...new Set(OUTLETS.map(([rule]) => rule))], rules)
  })

  const KEPT = [
    'Two dead in Jos - Police.',
    'Okada riders (about 40) - some armed - blocked the road.',
    'Fear across the nation.',
    'Police (NAN) said so.',
    'Photo-shoot ends in violence.',
    'Military sources: two dead.',
    'They asked for more (N5 million).',
    'Read more than once.',
  ]

  for (const text of KEPT)
    test(`what is part of the story stays: ${text}`, () => assert.equal(normalizeSummary(text), text))

  for (const nothing of [
    '',
    '   \n',
    '\u200b\u202e',
    '...',
    '—',
    '(Punch)',
    'BREAKING: [Photos]',
    '\ud83d',
    '<>',
    '😀',
  ]) {
    test(`${JSON.stringify(nothing)} says nothing`, () => assert.equal(normalizeSummary(nothing), ''))
  }

  const SENTENCE =
    'Gunmen came to the village at 2.30 a.m. and left with Gen. A. Musa of the 3rd Division, residents said.'

  test('a long text is cut after the last sentence that fits', () => {
    assert.equal(normalizeSummary(`${SENTENCE} `.repeat(9).trim()), [SENTENCE, SENTENCE, SENTENCE].join(' '))
  })

  test('a text that fits to the character is left alone', () => {
    const text = `${'word '.repeat(79)}word.`
    assert.equal(text.length, MAX_SUMMARY_LENGTH)
    assert.equal(normalizeSummary(text), text)
  })

  test('one sentence that is too long is cut after a word', () => {
    assert.match(normalizeSummary('seventy '.repeat(70)), /^(?:seventy )+seventy…$/)
  })

  test('a title or an initial ends no sentence', () => {
    const text = `${'word '.repeat(70)} said Gen. Musa ${'word '.repeat(70)}`
    assert.match(normalizeSummary(text), /Gen\. Musa word.*…$/)
  })

  test('a short headline is not all that is left', () => {
    assert.ok(normalizeSummary(`Tragedy in Jos! ${'word '.repeat(200)}`).length > 300)
  })

  test('a word without end is cut between two characters', () => {
    assert.equal(normalizeSummary('x'.repeat(1000)), `${'x'.repeat(399)}…`)
    assert.ok(normalizeSummary(`a${'😀'.repeat(500)}`).isWellFormed())
    assert.equal(normalizeSummary('q\u0323'.repeat(500)), `${'q\u0323'.repeat(199)}…`)
  })

  test('outlets that a cut lays bare go too', () => {
    const text = `${'word '.repeat(60)}end. (Punch). ${'word '.repeat(60)}`
    assert.ok(normalizeSummary(text).endsWith('word end.'))
  })

  const piece = fc.oneof(
    fc.constantFrom(...PLAIN.map(([, text]) => text), ...OUTLETS.map(([, text]) => text), SENTENCE),
    fc.constantFrom(
      'BREAKING:',
      '(Punch)',
      '[…]',
      '[Photos]',
      'Source:',
      'Read more',
      ' - Vanguard',
      'The post',
      '©',
      '.',
    ),
    fc.constantFrom(
      '\ud83d',
      '\ude00',
      '\u200b',
      '\u0301',
      '\u202e',
      '\u0000',
      '\n',
      ' ',
      '…',
      '”',
      '\u1100',
      '\u1161',
      '-',
    ),
    anyText({ maxLength: 30 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
  )
  const nasty = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

  test('a summary is one clean line that fits and ends, and to normalise it again changes nothing', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const summary = normalizeSummary(text)
        assert.equal(normalizeSummary(summary), summary)
        assert.ok(summary.length <= MAX_SUMMARY_LENGTH && summary.isWellFormed())
        assert.equal(summary.normalize('NFC'), summary)
        assert.doesNotMatch(summary, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^ | {2}| $/u)
        assert.match(summary, /^$|[.!?…。۔؟]["'”’»)\]]*$/u)
      }),
      { numRuns: tries(1000) },
    )
  })

  test('an enormous text is no work', () => {
    for (const part of ['BREAKING: ', '(Punch) ', '[Photos]', 'the post ', '. ', ' - ', '\u0301', '((([']) {
      assert.ok(normalizeSummary(part.repeat(50_000)).length <= MAX_SUMMARY_LENGTH)
    }
  })
})

const MIDDAY = Date.parse('2026-11-15T12:00:00Z')
const LATE = Date.parse('2026-11-15T23:00:00Z')
const TIMES: [name: string, time: string, now: number, fault: string | null][] = [
  ['now', '2026-11-15T12:00:00Z', MIDDAY, null],
  ['a minute ahead, by a clock that is not quite right', '2026-11-15T12:01:00Z', MIDDAY, null],
  ['more than a minute ahead', '2026-11-15T12:01:01Z', MIDDAY, 'lies in the future'],
  ['later in the hour', '2026-11-15T12:59:00Z', MIDDAY, 'lies in the future'],
  ['tomorrow', '2026-11-16', MIDDAY, 'lies in the future'],
  ['the day that has begun in Lagos', '2026-11-16', LATE, null],
  ['the day that begins in Lagos within a second', '2026-11-16', LATE - 1000, 'lies in the future'],
  ['the day after', '2026-11-17', LATE, 'lies in the future'],
  ['the first day of 1960', '1960-01-01', LATE, null],
  ['the day before', '1959-12-31', LATE, 'lies before 1960'],
]
for (const [name, time, now, fault] of TIMES)
  test(`${name} ${fault ?? 'is a time at which something can have happened'}`, () =>
    assert.equal(timeFault(Date.parse(time), now), fault))
