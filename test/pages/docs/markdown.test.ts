import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from '../../../src/pages/docs/markdown.ts'
import { html } from '../../../src/pages/html.ts'

function rendered(markdown: string): string {
  return renderMarkdown(markdown, {
    resolveLink: (address) => address.replace(/\.md$/, ''),
    slot: (name) => html`[${name}]`,
    code: (blocks) => html`[${blocks.map(({ language }) => language).join('+')}]`,
  }).body.text
}

for (const [name, markdown, expected] of [
  ['a paragraph of two lines', 'One\ntwo', '<p>One two</p>'],
  ['code, bold, emphasis', '`a<b` **c** *d*', '<p><code>a&lt;b</code> <strong>c</strong> <em>d</em></p>'],
  ['a link', '[the *x*](a.md)', '<p><a href="a">the <em>x</em></a></p>'],
  ['code in a link', '[`a`](b.md)', '<p><a href="b"><code>a</code></a></p>'],
  ['markup as text', '<script>"x"</script>', '<p>&lt;script&gt;&quot;x&quot;&lt;/script&gt;</p>'],
  ['stars in code', '`a**b**`', '<p><code>a**b**</code></p>'],
  ['a list with a long item', '- one\n  more\n- two', '<ul><li>one more</li><li>two</li></ul>'],
  ['a numbered list', '1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
  ['a slot', '<!-- limits -->', '[limits]'],
  ['neighbouring code', '```sh\na\n```\n\n```js\nb\n```', '[sh+js]'],
  ['a title', '# A b', '<h1 id="a-b">A b</h1>'],
] as const) {
  test(`Markdown: ${name}`, () => assert.equal(rendered(markdown), expected))
}

test('Markdown: a table, with a bar in a cell', () => {
  assert.match(
    rendered('| a | b |\n|---|---|\n| `x\\|y` | z |'),
    /<th scope="col">b<\/th>.*<td><code>x\|y<\/code><\/td><td>z<\/td>/,
  )
})

test('Markdown: headings of the same words have different ids', () => {
  const { headings } = renderMarkdown('# T\n\n## Same\n\n## Same', {
    resolveLink: (address) => address,
    slot: () => html``,
    code: () => html``,
  })
  assert.deepEqual(
    headings.map(({ id }) => id),
    ['same', 'same-2'],
  )
})

test('Markdown: code without an end is an error', () => {
  assert.throws(() => rendered('```sh\na'), /line 1 has no end/)
})
