import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import {
  CAP_CATEGORIES,
  CAP_CERTAINTIES,
  CAP_EXPIRY_HOURS,
  CAP_RADII,
  CAP_SEVERITIES,
  CAP_URGENCIES,
} from '../../src/formats/cap-tables.ts'

const page = readFileSync(new URL('../../docs/guides/feeds.md', import.meta.url), 'utf8')

const table = (head: [string, string], rows: [string, string][]) =>
  [head, ['---', '---'], ...rows]
    .map(([one, other]) => (one === '---' ? '|---|---|' : `| ${one} | ${other} |`))
    .join('\n')
const named = (rows: Record<string, string | readonly string[]>): [string, string][] =>
  Object.entries(rows).map(([name, value]) => [`\`${name}\``, [value].flat().join(', ')])

const TABLES = {
  categories: table(['category', 'CAP category'], named(CAP_CATEGORIES)),
  severities: table(['severity', 'CAP severity'], named(CAP_SEVERITIES)),
  certainties: table(
    ['confidence from', 'CAP certainty'],
    CAP_CERTAINTIES.map(({ least, certainty }) => [String(least), certainty]),
  ),
  urgencies: table(
    ['published after it happened', 'CAP urgency'],
    CAP_URGENCIES.map(({ withinHours, urgency }) => [
      Number.isFinite(withinHours) ? `within ${withinHours} hours` : 'later',
      urgency,
    ]),
  ),
  radii: table(
    ['precision', 'radius'],
    Object.entries(CAP_RADII).map(([precision, radius]) => [`\`${precision}\``, `${radius} km`]),
  ),
  lapsing: `(\`expires\`) ${CAP_EXPIRY_HOURS} hours after it was sent`,
}

suite('docs/guides/feeds.md is held against the code', () => {
  for (const [name, text] of Object.entries(TABLES)) {
    test(name, () => assert.ok(page.includes(text), `the page should have:\n${text}`))
  }
})
