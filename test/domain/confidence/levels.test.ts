import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { confidenceLevel, confidenceOf, type Evidence, LEVEL_THRESHOLDS } from '../../../src/domain/confidence.ts'
import { SOURCE_CLASSES, type SourceClass } from '../../../src/domain/publishers.ts'

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
