import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ACTIONS, ACTORS } from '../../src/reading/actors-and-actions.ts'
import { readCasualties, settleCasualties } from '../../src/reading/casualties.ts'
import { CASUALTY_RULES, DOUBTS, readNumber } from '../../src/reading/casualty-rules.ts'
import { extract } from '../../src/reading/extract.ts'
import { RECAP } from '../../src/reading/passages.ts'
import { HAPPENED, OTHER_TOPICS } from '../../src/reading/relevance.ts'
import { DATE_RULES, readTime } from '../../src/reading/time.ts'
import { classify, TYPE_RULES } from '../../src/reading/type-rules.ts'
import fc, { anyText } from '../support/fast-check.ts'
import { HELD_OUT_STORIES } from './held-out-stories.ts'
import { NO_INCIDENT_STORIES } from './no-incident-stories.ts'

const PUBLISHED = '2026-11-11T09:00:00Z'

/** A story, and the type, state, killed and abducted that it reports. */
const STORIES: readonly (readonly [
  text: string,
  type: string,
  state: string,
  killed: number | null,
  abducted: number | null,
])[] = [
  ['Bandits on Tuesday killed nine people in Maradun, Zamfara State.', 'banditry', 'Zamfara', 9, null],
  [
    'Gunmen abducted 24 students from a school in Kagara, Niger State, on Sunday night.',
    'mass_abduction',
    'Niger',
    null,
    24,
  ],
  ['A suicide bomber killed 11 worshippers at a mosque in Maiduguri.', 'explosion', 'Borno', 11, null],
  ['Troops killed 15 insurgents in Bama, Borno State, the army said.', 'military_operation', 'Borno', 15, null],
  [
    'Suspected herdsmen killed four farmers in Guma Local Government Area of Benue State.',
    'farmer_herder_clash',
    'Benue',
    4,
    null,
  ],
  ['Two killed as rival cult groups clash in Benin City, Edo State', 'cult_clash', 'Edo', 2, null],
  ['Pirates hijacked a tanker off Brass, Bayelsa State, and abducted six crew.', 'piracy', 'Bayelsa', null, 6],
  ['Traders protested in Ibadan on Monday over a new levy.', 'protest', 'Oyo', null, null],
  ["'Yan bindiga sun kashe mutum biyar a Birnin Gwari", 'banditry', 'Kaduna', 5, null],
  ['Gunmen don kidnap 3 people for Lokoja, Kogi State', 'kidnapping', 'Kogi', null, 3],
]

describe('a story:', () => {
  for (const [text, type, state, killed, abducted] of STORIES) {
    test(text, () => {
      const [found, ...others] = extract({ text, published_at: PUBLISHED })
      assert.ok(found)
      assert.deepEqual(
        [found.type, found.state, found.casualties.killed, found.casualties.abducted],
        [type, state, killed, abducted],
      )
      assert.deepEqual(others, [])
    })
  }
})

test('the day is relative to the publication, the hour is that of Nigeria', () => {
  const [found] = extract({
    text: 'Bandits attacked Kajuru on Sunday at about 2am, killing three.',
    published_at: PUBLISHED,
  })
  assert.deepEqual([found?.occurred_at, found?.time_precision], ['2026-11-08T01:00:00.000Z', 'hour'])
  const [undated] = extract({ text: 'Bandits attacked Kajuru on Sunday, killing three.' })
  assert.equal(undated?.occurred_at, null)
})

test('two incidents of one story are two candidates', () => {
  const text =
    'Bandits killed nine people in Maradun, Zamfara State, on Monday. The gunmen burnt houses. In a separate attack, gunmen abducted three traders in Lokoja, Kogi State.'
  const found = extract({ text, published_at: PUBLISHED })
  assert.deepEqual(
    found.map(({ type, state }) => [type, state]),
    [
      ['banditry', 'Zamfara'],
      ['kidnapping', 'Kogi'],
    ],
  )
})

test('what a story retells of earlier months is no incident, and its numbers do not count', () => {
  const text =
    'Bandits on Monday killed eleven people in Bungudu, Zamfara State. The police confirmed it. In March, 40 people were killed in a similar attack in Anka.'
  const found = extract({ text, published_at: PUBLISHED })
  assert.deepEqual(
    found.map(({ state, casualties }) => [state, casualties.killed]),
    [['Zamfara', 11]],
  )
  const [dated] = extract({ text: 'In March 2014 Boko Haram killed six people in Gwoza, Borno State.' })
  assert.equal(dated?.casualties.killed, 6)
})

test('three incidents of three states are three candidates', () => {
  const text =
    'Two policemen were killed on Tuesday when gunmen attacked a police station in Oguta, Imo State.\n\nElsewhere, gunmen kidnapped a trader in Nnewi, Anambra State.\n\nAlso on Tuesday, a roadside bomb injured four soldiers near Gwoza in Borno State.'
  const found = extract({ text, published_at: PUBLISHED })
  assert.deepEqual(
    found.map(({ type, state }) => [type, state]),
    [
      ['attack_on_security_forces', 'Imo'],
      ['kidnapping', 'Anambra'],
      ['explosion', 'Borno'],
    ],
  )
})

test('ages, ransoms and ammunition are no casualties', () => {
  const text =
    'A monarch, aged 72, was abducted on Sunday by gunmen in Offa, Kwara State. The kidnappers demanded N100 million. Police recovered 12 AK-47 rifles and 240 rounds of ammunition.'
  const [found] = extract({ text, published_at: PUBLISHED })
  assert.deepEqual(found?.casualties, { killed: null, injured: null, abducted: 1 })
})

test('evidence in the title and in the text holds the words it names', () => {
  const title = 'Gunmen kill seven in Gwoza'
  const text = 'Gunmen on Tuesday killed seven people in Gwoza, Borno State, and injured four.'
  const [found] = extract({ title, text, published_at: PUBLISHED })
  assert.ok(found)
  for (const { source, start, end, text: words } of found.evidence)
    assert.equal((source === 'title' ? title : text).slice(start, end), words)
  const fields = found.evidence.map(({ field }) => field)
  for (const field of ['type', 'place', 'occurred_at', 'killed', 'injured'])
    assert.ok(fields.includes(field as never), field)
})

test('a name that areas of several states bear is a question with its answers', () => {
  const [found] = extract({ text: 'Gunmen killed two people in Ifelodun.' })
  assert.ok(found)
  assert.deepEqual([found.state, found.matched], [null, null])
  assert.deepEqual(found.place_choices.map(({ name, state }) => `${name}, ${state}`).sort(), [
    'Ifelodun, Kwara',
    'Ifelodun, Osun',
  ])
  assert.deepEqual(
    found.evidence.filter(({ field }) => field === 'place').map(({ text }) => text),
    ['Ifelodun'],
  )
  const [known] = extract({ text: 'Gunmen killed two people in Ifelodun, Osun State.' })
  assert.deepEqual([known?.state, known?.place_choices], ['Osun', []])
})

test('a name that is only similar is a question, and no more certain than what the text names around it', () => {
  const read = (text: string) => extract({ text: `Gunmen killed two people ${text}.` })[0]!
  const withState = read('in Maidugurri town, Borno State')
  assert.deepEqual([withState.state, withState.lga, withState.precision], ['Borno', null, 'state'])
  assert.deepEqual(
    withState.place_choices.map(({ name, how }) => [name, how]),
    [['Maiduguri', 'similar']],
  )
  const alone = read('in Maidugurri town')
  assert.deepEqual([alone.state, alone.lat, alone.matched], [null, null, null])
  assert.equal(alone.place_choices[0]?.name, 'Maiduguri')
  const spelledRight = read('in Maiduguri town, Borno State')
  assert.deepEqual([spelledRight.precision, spelledRight.place_choices], ['settlement', []])
})

test('an LGA with the name of a person or a people is a place where the text says where', () => {
  const choices = (text: string) =>
    extract({ text: `Gunmen killed two people ${text}` })[0]!.place_choices.map(
      ({ name, state }) => `${name}, ${state}`,
    )
  assert.deepEqual(choices('in Ado.'), ['Ado-Ekiti, Ekiti', 'Ado, Benue', 'Ado-Odo, Ogun'])
  assert.deepEqual(choices('at Bassa.'), ['Bassa, Plateau', 'Bassa, Kogi'])
  assert.deepEqual(choices('in an attack on Obi.'), ['Obi, Nasarawa', 'Obi, Benue'])
  for (const text of ['and Obi.', 'of Bassa origin.', 'in Obi Okafor’s compound.', 'in a Bassa-Egbura clash.'])
    assert.deepEqual(choices(text), [], text)
})

test('headlines that are joined, labelled, or end with the news are read', () => {
  for (const [text, killed] of [
    ['Gunmen kill four farmers in Benue;Timeline of attacks since 2011.', 4],
    ['Title  2 die in gunmen attack, Benue', 2],
    ['Rival parties trade blames as two die in Oshodi, Lagos', 2],
    ['Jos car bombing: death toll at least 118, relief agency says', 118],
  ] as const)
    assert.equal(extract({ text })[0]?.casualties.killed, killed, text)
  assert.deepEqual(extract({ text: 'Kano Pillars win the title as two die-hard fans watch' }), [])
})

test('the section in an address may say that a story is no report', () => {
  const text = 'Gunmen killed two people in Gusau.'
  const inSection = (url: string) => extract({ text, url }).length
  assert.equal(inSection('https://news.example/sports/2026/gunmen-kill-two'), 0)
  assert.equal(inSection('https://news.example/opinion/gunmen-kill-two'), 0)
  assert.equal(inSection('https://news.example/metro/2026/sports'), 1)
  assert.equal(inSection('no address'), 1)
})

test('at most one in twenty stories without an incident becomes a candidate', () => {
  assert.ok(NO_INCIDENT_STORIES.length >= 200)
  const found = NO_INCIDENT_STORIES.filter((story) => extract({ ...story, published_at: PUBLISHED }).length > 0)
  assert.ok(found.length <= NO_INCIDENT_STORIES.length / 20, found.map(({ title }) => title).join('; '))
})

test('any text is read without an error, and every span holds its words', () => {
  const words = fc.constantFrom(
    'killed',
    'Gunmen',
    'Kaduna',
    'twelve',
    '12',
    '.',
    ';',
    '\n',
    'near',
    'on Monday',
    'road',
    'Bama LGA',
    'ẹ',
    '(',
    'between',
    'and',
  )
  const texts = fc.oneof(
    anyText({ maxLength: 300 }),
    fc.array(words, { maxLength: 60 }).map((all) => all.join(' ')),
  )
  fc.assert(
    fc.property(texts, texts, (title, text) => {
      for (const { evidence, score } of extract({ title, text, published_at: PUBLISHED })) {
        assert.ok(score >= 0 && score <= 1)
        for (const { source, start, end, text: held } of evidence)
          assert.equal((source === 'title' ? title : text).slice(start, end), held)
      }
    }),
  )
})

test('a huge text costs no more than its beginning', () => {
  assert.deepEqual(extract({ text: 'x '.repeat(2_000_000) }), [])
  assert.deepEqual(extract({ text: '12 '.repeat(500_000) }), [])
})

test('there are at least 60 stories', () => assert.ok(HELD_OUT_STORIES.length >= 60))

describe('a story reports one incident:', () => {
  for (const { text, type, state, killed = null, injured = null, abducted = null } of HELD_OUT_STORIES) {
    test(text, () => {
      const [found, ...others] = extract({ text, published_at: '2026-11-11T09:00:00Z' })
      assert.deepEqual(others, [])
      assert.deepEqual(found && { type: found.type, state: found.state, ...found.casualties }, {
        type,
        state,
        killed,
        injured,
        abducted,
      })
    })
  }
})

describe('casualties', () => {
  /** Killed, injured, abducted; null where the text does not say. */
  const SENTENCES: readonly (readonly [
    text: string,
    killed: number | null,
    injured: number | null,
    abducted: number | null,
  ])[] = [
    ['Gunmen killed three people and injured five others in Jos', 3, 5, null],
    ['At least twenty-five villagers were killed, 12 wounded', 25, 12, null],
    ['Bandits kill three soldiers, seven civilians in Anka', 10, null, null],
    ['Soldier, 12 others killed in Barkin Ladi', 13, null, null],
    ['No fewer than 40 pupils were abducted from a school', null, null, 40],
    ['The attackers whisked away 15 travellers', null, null, 15],
    ['A policeman was killed at the checkpoint', 1, null, null],
    ['A dozen farmers were killed', 12, null, null],
    ['A 30-year-old woman was killed', 1, null, null],
    ['Gunmen demanded N5 million after kidnapping a doctor', null, null, 1],
    ['They burnt 40 houses and stole 300 cows', null, null, null],
    ['Troops recovered 200 rounds of ammunition', null, null, null],
    ['The insurgency has killed 35,000 people since 2009', null, null, null],
    ['Scores of people were killed in the raid', null, null, null],
    ['The attack left four people dead', 4, null, null],
    ["'Yan bindiga sun kashe mutum 12 a Birnin Gwari", 12, null, null],
    ['On 12 May 2021 gunmen attacked the village', null, null, null],
    ['Two priests among 16 villagers killed in Benue', 16, null, null],
    ["Boko Haram 'beheads' seven in a village", 7, null, null],
    ["Islamists kill 'at least 21' in a town", 21, null, null],
    ['Death toll from a market blast in the northeast of the country rises to 45', 45, null, null],
    ['The police killed the AK-47 story: two died', 2, null, null],
  ]

  describe('casualties of', () => {
    for (const [text, killed, injured, abducted] of SENTENCES) {
      test(`“${text}”`, () => {
        const { casualties } = settleCasualties(readCasualties({ text, start: 0, end: text.length }), false)
        assert.deepEqual(casualties, { killed, injured, abducted })
      })
    }
  })

  test('a later toll replaces an earlier number', () => {
    const read = (text: string) => readCasualties({ text, start: 0, end: text.length })
    const counts = [...read('Ten killed in a blast'), ...read('Death toll rises to 14')]
    assert.equal(settleCasualties(counts, false).casualties.killed, 14)
  })

  test('the number of most sentences counts, doubtful ones less', () => {
    const settle = (texts: readonly string[], retold = false) => {
      const counts = texts.flatMap((text) => readCasualties({ text, start: 0, end: text.length }))
      return settleCasualties(counts, retold).casualties.killed
    }
    assert.equal(settle(['Ten killed in Jos', 'The gunmen killed 12', 'Police say 12 died']), 12)
    assert.equal(settle(['Over 70 feared killed in Jos', 'Gunmen killed 21 in Jos']), 21)
    assert.equal(settle(['63 killed in separate attacks', 'Gunmen killed nine in Jos']), 9)
    assert.equal(settle(['Gunmen killed nine in Jos', 'Gunmen killed ten in Jos']), 9)
    assert.equal(settle(['Gunmen killed nine in Jos', 'Gunmen killed ten in Jos'], true), 10)
    assert.equal(settle(['A policeman was killed', 'Gunmen killed ten in Jos']), 10)
  })

  test('numbers are read in figures and words', () => {
    const numbers = { '1,200': 1200, 'forty-two': 42, 'two dozen': 24, 'a hundred and five': 105, biyar: 5, '0': null }
    for (const [text, value] of Object.entries(numbers)) assert.equal(readNumber(text), value, text)
  })

  for (const { means, words, example } of [...ACTORS, ...ACTIONS, ...OTHER_TOPICS, ...HAPPENED]) {
    test(`“${example}” has words of: ${means}`, () => assert.match(example, words))
  }

  for (const { type, example } of TYPE_RULES) {
    test(`“${example}” is ${type}`, () => assert.equal(classify(example)?.type, type))
  }

  for (const { harm, example } of CASUALTY_RULES) {
    const [text, count] = example
    test(`“${text}” is ${count} ${harm}`, () => {
      const counts = readCasualties({ text, start: 0, end: text.length })
      assert.deepEqual(
        counts.map((each) => [each.harm, each.value]),
        [[harm, count]],
      )
    })
  }

  test(`“${RECAP.example}” is told again`, () => assert.match(RECAP.example, RECAP.words))

  for (const { words, example } of DOUBTS) {
    test(`“${example}” is in doubt`, () => assert.match(example, words))
  }

  for (const { example } of DATE_RULES) {
    const [text, day] = example
    test(`“${text}” is ${day}`, () => {
      assert.equal(readTime(text, Date.parse('2026-11-11T09:00:00Z'))?.occurred_at.slice(0, 10), day)
    })
  }
})
