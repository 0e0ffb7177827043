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
} from '../../src/formats/cap.ts'
import { element, emptyElement, group } from '../../src/formats/xml.ts'
import fc, { anyText } from '../support/fast-check.ts'
import { parseXml } from '../support/readers.ts'
import { tries } from '../support/tier.ts'

/** Characters that XML allows; all others become the replacement character. */
const held = (text: string) =>
  [...text].map((character) => (isChar(character.codePointAt(0)!) ? character : '\ufffd')).join('')

/** The production Char of XML 1.0. */
function isChar(code: number): boolean {
  return (
    code === 0x9 ||
    code === 0xa ||
    code === 0xd ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    code >= 0x10000
  )
}

const AWKWARD = [
  '<b>',
  '&amp;',
  ']]>',
  '<![CDATA[',
  '"',
  "'",
  '\0',
  '\x1b',
  '\ud800',
  '\uffff',
  '\r\n',
  '\t',
  '💥',
  ' ',
]
const text = fc.oneof(
  anyText(),
  fc.array(fc.constantFrom(...AWKWARD)).map((parts) => parts.join('')),
)

test('any text comes back from a strict parser, in an element and in an attribute', () => {
  fc.assert(
    fc.property(text, (any) => {
      const { attributes, children } = parseXml(
        group('a', [element('b', any), emptyElement('c', { d: any })], { e: any }),
      )
      assert.equal(children[0]!.text, held(any))
      assert.equal(children[1]!.attributes.d, held(any))
      assert.equal(attributes.e, held(any))
    }),
    { numRuns: tries(1000) },
  )
})

test('what is not there is no element', () => {
  assert.equal(element('a', null), '')
})

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
