import assert from 'node:assert/strict'
import { test } from 'node:test'
import { element, emptyElement, group } from '../../src/formats/xml.ts'
import fc from '../support/fast-check.ts'
import { parseXml } from '../support/readers/xml.ts'

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
  fc.string({ unit: 'binary' }),
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
    { numRuns: 1000 },
  )
})

test('what is not there is no element', () => {
  assert.equal(element('a', null), '')
})
