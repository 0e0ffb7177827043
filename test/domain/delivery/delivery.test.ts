import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storableExcerpt } from '../../../src/domain/delivery.ts'

for (const { name, text, kept } of [
  { name: 'nothing as nothing', text: null, kept: null },
  { name: 'a short answer as it is', text: 'Ọ̀kẹ́ \u{1F30D}', kept: 'Ọ̀kẹ́ \u{1F30D}' },
  { name: 'the first 1,024 characters', text: 'x'.repeat(1_025), kept: 'x'.repeat(1_024) },
  {
    name: 'no half of a pair where it is cut',
    text: `${'x'.repeat(1_023)}\u{1F30D}`,
    kept: `${'x'.repeat(1_023)}\ufffd`,
  },
  { name: 'no NUL', text: 'a\0b', kept: 'a\ufffdb' },
]) {
  test(`of what an endpoint says is kept ${name}`, () => assert.equal(storableExcerpt(text), kept))
}
