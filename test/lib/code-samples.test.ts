import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_LANGUAGE_NAMES, variablesOf, writeSample } from '../../src/lib/code-samples.ts'

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
