import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  CONFIDENCE_VERSION,
  confidenceOf,
  type Evidence,
  type EvidenceSource,
  FURTHER_SOURCE_PERCENTAGES,
  independentSources,
  LOCATION_WEIGHTS,
  OFFICIAL_CONFIRMATION_WEIGHT,
  REASONS,
  reliabilityFrom,
  SOURCE_CLASS_DESCRIPTIONS,
  SOURCE_CLASSES,
  SOURCE_WEIGHTS,
  type SourceClass,
  sourceUrlKey,
  TIME_WEIGHTS,
} from '../../src/domain/confidence.ts'
import { PRECISIONS, TIME_PRECISIONS } from '../../src/domain/incident.ts'
import { confidenceLevel, LEVEL_THRESHOLDS } from '../../src/domain/taxonomy.ts'
import fc from '../support/fast-check.ts'
import { tries } from '../support/tier.ts'

const reliability = reliabilityFrom()

let page = 0
const from = (publisher: string, more: Partial<EvidenceSource> = {}): EvidenceSource => {
  return { publisher, url: `https://example.org/${++page}`, official: false, ...more }
}
const evidence = (given: Partial<Evidence>): Evidence => {
  return { sources: [], precision: 'settlement', timePrecision: 'day', importQuality: null, override: null, ...given }
}
const hundredths = (weight: number) => Math.round(weight * 100)

const EXAMPLES: [what: string, evidence: Partial<Evidence>, confidence: number][] = [
  [
    'one post on social media, known to the state and the day',
    { sources: [from('@somebody')], precision: 'state' },
    0.15,
  ],
  ['one local outlet, settlement, day', { sources: [from('Katsina Post')] }, 0.44],
  ['one national newspaper, settlement, day', { sources: [from('Punch')] }, 0.52],
  ['two national newspapers, settlement, day', { sources: [from('Punch'), from('Vanguard')] }, 0.69],
  [
    'three national newspapers, settlement, day',
    { sources: [from('Punch'), from('Vanguard'), from('Daily Trust')] },
    0.77,
  ],
  [
    'two national newspapers and the police, exact, hour',
    {
      sources: [from('Punch'), from('Vanguard'), from('Nigeria Police Force')],
      precision: 'exact',
      timePrecision: 'hour',
    },
    0.9,
  ],
  [
    'a row of a data set, quality 1, one unknown source, settlement, day',
    { sources: [from('A Gazette')], importQuality: 1 },
    0.65,
  ],
]

for (const [what, given, confidence] of EXAMPLES) {
  test(`${what}: ${confidence}`, () => assert.equal(confidenceOf(evidence(given), reliability).confidence, confidence))
}

test('each reason says what it counted and for how much', () => {
  const sources = [from('Vanguard'), from('A Gazette'), from('Kaduna State Government', { official: true })]
  assert.deepEqual(confidenceOf(evidence({ sources }), reliability), {
    confidence: 0.84,
    reasons: [
      { reason: 'source_reliability', value: 'official', weight: 0.44 },
      { reason: 'independent_sources', value: 3, weight: 0.22 },
      { reason: 'official_confirmation', value: true, weight: 0.08 },
      { reason: 'location_precision', value: 'settlement', weight: 0.07 },
      { reason: 'time_precision', value: 'day', weight: 0.03 },
    ],
    version: CONFIDENCE_VERSION,
  })
})

test('without sources, the place and the time are all there is', () => {
  const { confidence, reasons } = confidenceOf(evidence({}), reliability)
  assert.equal(confidence, 0.1)
  assert.deepEqual(reasons.slice(0, 2), [
    { reason: 'source_reliability', value: null, weight: 0 },
    { reason: 'independent_sources', value: 0, weight: 0 },
  ])
})

test("an editor's override is the result, and a reason that names the desk beside the others", () => {
  for (const set of [0, 0.3, 1]) {
    const { confidence, reasons } = confidenceOf(evidence({ sources: [from('Punch')], override: set }), reliability)
    assert.equal(confidence, set)
    const weight = hundredths(set - 0.52) / 100
    assert.deepEqual(reasons.at(-1), { reason: 'operator_override', value: 'the desk', weight })
    assert.equal(reasons.length, 5)
  }
})

test('an override or a quality that is no share is refused', () => {
  for (const wrong of [-0.1, 1.1, Number.NaN]) {
    assert.throws(() => confidenceOf(evidence({ importQuality: wrong }), reliability), /importQuality.*0 to 1/)
    assert.throws(() => confidenceOf(evidence({ override: wrong }), reliability), /override.*0 to 1/)
  }
})

test('the order of the sources changes nothing', () => {
  const sources = [from('@one'), from('Punch'), from('A Gazette'), from('Reuters'), from('Nigerian Army')]
  const forwards = confidenceOf(evidence({ sources }), reliability)
  assert.deepEqual(confidenceOf(evidence({ sources: sources.toReversed() }), reliability), forwards)
})

const name = fc.oneof(
  fc.constantFrom('Punch', 'The Punch', 'Reuters', 'Katsina Post', '@x', 'AllAfrica', 'Nigerian Army', 'UCDP'),
  fc.string({ maxLength: 3 }),
)
const source = fc.record({
  publisher: name,
  url: fc.option(fc.constantFrom('https://a.ng/1', 'http://www.a.ng/1/', 'https://a.ng/2', 'https://b.ng', 'c')),
  official: fc.boolean(),
})
const anyEvidence = fc.record({
  sources: fc.array(source, { maxLength: 9 }),
  precision: fc.constantFrom(...PRECISIONS),
  timePrecision: fc.constantFrom(...TIME_PRECISIONS),
  importQuality: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  override: fc.constant(null),
})
const anyReliability = fc
  .array(fc.tuple(name, fc.constantFrom(...SOURCE_CLASSES)), { maxLength: 4 })
  .map((edits) => reliabilityFrom(edits))

test('one more source never lowers it, whoever it is and wherever it stands in the list', () => {
  fc.assert(
    fc.property(anyEvidence, source, fc.nat(), anyReliability, (given, another, place, table) => {
      const sources = given.sources.toSpliced(place % (given.sources.length + 1), 0, another)
      const before = confidenceOf(given, table).confidence
      assert.ok(confidenceOf({ ...given, sources }, table).confidence >= before)
    }),
    { numRuns: tries(2000) },
  )
})

test('one more independent source, of the first five, raises it', () => {
  const names = ['Punch', 'Vanguard', 'Daily Trust', 'Reuters', 'AFP']
  const rising = names.map((_, last) => names.slice(0, last + 1).map((publisher) => from(publisher)))
  const confidences = rising.map((sources) => confidenceOf(evidence({ sources }), reliability).confidence)
  assert.deepEqual(confidences, [...new Set(confidences)].toSorted())
})

test('the reasons add up to it, in whole hundredths, and without an override it stays within 0 and 0.99', () => {
  const override = fc.option(fc.double({ min: 0, max: 1, noNaN: true }))
  fc.assert(
    fc.property(anyEvidence, override, anyReliability, (given, set, table) => {
      const { confidence, reasons } = confidenceOf({ ...given, override: set }, table)
      assert.equal(
        reasons.reduce((sum, { weight }) => sum + hundredths(weight), 0),
        hundredths(confidence),
      )
      for (const { weight } of reasons) assert.equal(weight, hundredths(weight) / 100)
      assert.ok(confidence >= 0 && confidence <= (set === null ? 0.99 : 1))
      if (set !== null) assert.equal(confidence, hundredths(set) / 100)
    }),
  )
})

test('the best evidence there is comes to 0.99', () => {
  const sources = ['Reuters', 'AFP', 'AP', 'BBC', 'Nigerian Army', 'CNN'].map((publisher) => from(publisher))
  for (const importQuality of [null, 1]) {
    const best = evidence({ sources, precision: 'exact', timePrecision: 'exact', importQuality })
    assert.equal(confidenceOf(best, reliability).confidence, 0.99)
  }
})

test('the classes stand in falling order', () => {
  const weights = SOURCE_CLASSES.map((kind) => SOURCE_WEIGHTS[kind])
  assert.deepEqual(
    weights.toSorted((one, other) => other - one),
    weights,
  )
})

test('docs/confidence.md has the same tables, examples and version', async () => {
  const text = await readFile(new URL('../../docs/confidence.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => row!.split(' | '))
  const shown = (weight: number) => (weight / 100).toFixed(2)
  const list = (weights: Record<string, number>) =>
    Object.entries(weights)
      .map(([name, weight]) => `${name} ${shown(weight)}`)
      .join(', ')
  const named = rows.filter(([first]) => first!.startsWith('`'))
  const classes = SOURCE_CLASSES.map((kind) => [
    `\`${kind}\``,
    shown(SOURCE_WEIGHTS[kind]),
    SOURCE_CLASS_DESCRIPTIONS[kind],
  ])
  const reasons = Object.entries(REASONS).map(([reason, value]) => [`\`${reason}\``, value])
  assert.deepEqual(
    named.slice(0, reasons.length).map((row) => row.slice(0, 2)),
    reasons,
  )
  assert.deepEqual(named.slice(reasons.length), classes)
  const weightOf = (reason: keyof typeof REASONS) => named.find(([first]) => first === `\`${reason}\``)![2]!
  assert.equal(weightOf('location_precision'), list(LOCATION_WEIGHTS))
  assert.equal(weightOf('time_precision'), list(TIME_WEIGHTS))
  assert.ok(weightOf('official_confirmation').startsWith(shown(OFFICIAL_CONFIRMATION_WEIGHT)))
  assert.deepEqual(
    weightOf('independent_sources')
      .match(/\d+(?= %)/g)
      ?.map(Number),
    [...FURTHER_SOURCE_PERCENTAGES],
  )
  assert.deepEqual(
    rows.filter((row) => row.length === 2 && /^\d\.\d\d$/.test(row[1]!)).slice(-EXAMPLES.length),
    EXAMPLES.map(([what, , confidence]) => [what, confidence.toFixed(2)]),
  )
  assert.ok(text.includes(`describes version ${CONFIDENCE_VERSION}.`))
})

const levelOf = (classes: readonly SourceClass[]) => {
  const evidence: Evidence = {
    sources: classes.map((kind, index) => ({ url: null, publisher: `${kind} ${index}`, official: false })),
    precision: 'exact',
    timePrecision: 'exact',
    importQuality: null,
    override: null,
  }
  return confidenceLevel(confidenceOf(evidence, (publisher) => publisher.split(' ')[0] as SourceClass).confidence)
}

test('one source is unconfirmed elsewhere, however exact it is; an official one makes it likely, not more', () => {
  for (const kind of SOURCE_CLASSES) assert.equal(levelOf([kind]), kind === 'official' ? 'likely' : 'unconfirmed', kind)
})

test('a second newspaper makes it likely, several sources well supported, two posts nothing', () => {
  assert.equal(levelOf(['national', 'national']), 'likely')
  assert.equal(levelOf(['national', 'national', 'national']), 'well_supported')
  assert.equal(levelOf(['national', 'official']), 'well_supported')
  assert.equal(levelOf(['social', 'social']), 'unconfirmed')
})

test('each threshold belongs to its own level, and a confidence outside 0 to 1 still has one', () => {
  for (const [level, least] of Object.entries(LEVEL_THRESHOLDS)) assert.equal(confidenceLevel(least), level)
  assert.equal(confidenceLevel(0.5999), 'unconfirmed')
  assert.equal(confidenceLevel(0.7499), 'likely')
  assert.equal(confidenceLevel(-1), 'unconfirmed')
  assert.equal(confidenceLevel(2), 'well_supported')
})

test('the documentation and the explanation on the page state the same thresholds', () => {
  const docs = readFileSync('docs/confidence.md', 'utf8')
  assert.ok(docs.includes(`below ${LEVEL_THRESHOLDS.likely.toFixed(2)}`))
  assert.ok(docs.includes(`${LEVEL_THRESHOLDS.well_supported.toFixed(2)} or more`))
  const panel = readFileSync('src/i18n/catalogues/en/panel.json', 'utf8')
  assert.ok(panel.includes(`below ${LEVEL_THRESHOLDS.likely * 100} of 100`))
  assert.ok(panel.includes(`${LEVEL_THRESHOLDS.well_supported * 100} or more`))
})

const COUNTED: [what: string, sources: EvidenceSource[], count: number][] = [
  ['one publisher that tells it twice', [from('Punch'), from('The PUNCH Newspapers')], 1],
  ['an agency and its short name', [from('AFP'), from('Agence France Presse')], 1],
  [
    'one address under two names',
    [from('Punch', { url: 'http://a.ng/x' }), from('Vanguard', { url: 'https://www.a.ng/x/' })],
    1,
  ],
  ['two publishers without addresses', [from('Radio A', { url: null }), from('Radio B', { url: null })], 2],
  ['one publisher with and without an address', [from('Radio A', { url: null }), from('Radio A')], 1],
  [
    'a publisher that shares one address but has another',
    [from('Punch', { url: 'https://a.ng/1' }), from('Vanguard', { url: 'https://a.ng/1' }), from('Vanguard')],
    2,
  ],
  [
    'three names over two addresses',
    ['Punch', 'Vanguard', 'Daily Trust'].flatMap((name) => [
      from(name, { url: 'https://a.ng/1' }),
      from(name, { url: 'https://a.ng/2' }),
    ]),
    2,
  ],
]

for (const [what, sources, count] of COUNTED) {
  test(`${what}: ${count}`, () => assert.equal(independentSources(sources, reliability).length, count))
}

test('the same page has one address', () => {
  const same = [
    'https://punchng.com/story?id=7',
    'http://www.punchng.com/story/?id=7#comments',
    'https://m.punchng.com/story/amp/?utm_source=x&id=7&fbclid=abc',
    ' https://PUNCHNG.com:443//story?ref=home&id=7 ',
  ]
  assert.equal(new Set(same.map(sourceUrlKey)).size, 1)
  const others = [
    'https://punchng.com/story?id=8',
    'https://punchng.com/Story?id=7',
    'https://ng.punchng.com/story?id=7',
  ]
  assert.equal(new Set([same[0]!, ...others].map(sourceUrlKey)).size, 4)
  assert.equal(sourceUrlKey('no address'), 'no address')
})

test('ten thousand sources are no work', () => {
  const sources = Array.from({ length: 10_000 }, (_, number) => from(`Publisher ${number}`))
  assert.equal(independentSources(sources, reliability).length, 10_000)
  const repeated = sources.map((source) => ({ ...source, url: 'https://example.org/wire' }))
  assert.equal(independentSources(repeated, reliability).length, 1)
})
