import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SAMPLE_LANGUAGE_NAMES, variablesOf, writeSample } from '../../src/lib/code-samples.ts'
import { editDistance, suggestNames } from '../../src/lib/similar-names.ts'
import { foldAccents, numberText, parseDecimal } from '../../src/lib/text.ts'
import fc from '../support/fast-check.ts'

const CASES: [string, string][] = [
  ['kaduna', 'kaduna'],
  ['Jema’a', 'jemaa'],
  ['ƊANDUME', 'dandume'],
  ['Ọ̀yọ́', 'oyo'],
  ['Ɓirnin Ƙudu', 'birnin kudu'],
  ['Zango-Kataf', 'zango-kataf'],
]

for (const [text, plain] of CASES) {
  test(`${text} is ${plain} without accents`, () => assert.equal(foldAccents(text), plain))
}

test('whole numbers get the commas that Intl gives them', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (number) => {
      assert.equal(numberText(number), new Intl.NumberFormat('en').format(number))
    }),
    { examples: [[0], [-1], [999], [1000], [-1000], [999_999], [1_000_000]] },
  )
})

test('every number below a quadrillion is read as JavaScript writes it', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e15, max: 1e15, minExcluded: true, maxExcluded: true, noNaN: true }), (number) => {
      assert.equal(parseDecimal(String(number)), number + 0)
    }),
    { examples: [[0], [-0], [0.1 + 0.2], [1e-7], [5e-324], [0.0000012345678901234567], [-180]] },
  )
})

test('the forms of other programs are read too', () => {
  for (const [text, number] of [
    ['+1.5', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1E-3', 0.001],
    ['-0', 0],
  ] as const)
    assert.equal(parseDecimal(text), number, text)
})

test('a text that is no number, or too large for one, is refused', () => {
  for (const text of [
    '',
    ' 1',
    '1 ',
    '1,5',
    '0x10',
    'NaN',
    'Infinity',
    '1e999',
    '1e1000',
    '.',
    '-',
    'e5',
    '1_000',
    '٣',
  ])
    assert.equal(parseDecimal(text), null, text)
})

test('the distance counts changed, missing, added and swapped characters', () => {
  const cases: [string, string, number][] = [
    ['', '', 0],
    ['kaduna', 'kaduna', 0],
    ['kadunna', 'kaduna', 1],
    ['kaudna', 'kaduna', 1],
    ['lagos', 'jos', 3],
  ]
  for (const [one, other, distance] of cases) assert.equal(editDistance(one, other, 10), distance)
})

test('the distance is the same both ways, and a limit only cuts it off', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 8 }), (one, other, limit) => {
      const whole = editDistance(one, other, 100)
      assert.equal(editDistance(other, one, 100), whole)
      assert.equal(editDistance(one, other, limit), Math.min(whole, limit + 1))
    }),
  )
})

test('similar words are suggested, the most similar first; without a similar word there is no suggestion', () => {
  assert.deepEqual(suggestNames('kidnaping', ['banditry', 'kidnapping']), ['kidnapping'])
  assert.deepEqual(suggestNames('Kadunna', ['Katsina', 'Kaduna', 'Kano']), ['Kaduna'])
  assert.deepEqual(suggestNames('xyz', ['newest', 'oldest']), [])
})

test('a very long text is compared quickly', () => {
  assert.deepEqual(suggestNames('x'.repeat(5_000_000), ['kidnapping']), [])
})

describe('code samples', () => {
  // The tests in test/docs/samples run the samples; these hold what running cannot show.

  const PATCH = {
    method: 'PATCH',
    url: 'http://localhost/v1/things/$THING_ID',
    headers: { Authorization: 'Bearer $KEY' },
    body: { note: 'It\'s "so"', id: '$OTHER_ID' },
    answer: 'json',
  } as const

  test('a sample names its variables once each', () => {
    assert.deepEqual(variablesOf(PATCH), ['THING_ID', 'KEY', 'OTHER_ID'])
  })

  test('the shell reads nothing of a body but its variables', () => {
    const hostile = { ...PATCH, body: { note: '$(reboot) `id` \\ "x" \'y\' ' } }
    const sample = writeSample('curl', hostile)
    assert.ok(sample.includes(`-d '{"note":"$(reboot) \`id\` \\\\ \\"x\\" '\\''y'\\'' "}'`), sample)
  })

  for (const language of SAMPLE_LANGUAGE_NAMES) {
    test(`a sample in ${language} names the method, the address and the key`, () => {
      const sample = writeSample(language, PATCH)
      for (const part of ['PATCH', 'http://localhost/v1/things/', 'KEY', 'THING_ID', 'OTHER_ID'])
        assert.ok(sample.includes(part), part)
    })
  }
})
