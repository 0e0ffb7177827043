import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { ENDPOINTS, SCHEMAS } from '../../src/api/contract/reference.ts'
import { ERRORS } from '../../src/domain/error-codes.ts'
import { renderMarkdown } from '../../src/pages/docs/markdown.ts'
import { html } from '../../src/pages/html.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

describe('docs pages', () => {
  let app: TestApp
  /** Every page of `/docs` by its path, found by following links from the first. */
  const pages = new Map<string, string>()
  before(async () => {
    app = await startTestApp({ RATE_LIMIT: '77', PUBLIC_URL: 'https://feed.example' })
    const waiting = ['/docs']
    for (const path of waiting) {
      if (pages.has(path)) continue
      const response = await fetch(app.url + path)
      assert.equal(response.status, 200, path)
      assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/)
      const page = await response.text()
      pages.set(path, page)
      for (const [, link] of page.matchAll(/href="(\/docs[^"#?]*)/g)) waiting.push(link!)
    }
  })
  after(() => app[Symbol.asyncDispose]())

  const text = () => [...pages.values()].join('')

  test('the reference has every endpoint, parameter, object and error', () => {
    const all = text()
    for (const { id, path, query = {} } of ENDPOINTS) {
      assert.ok(all.includes(`<section class="endpoint" id="${id}">`), id)
      for (const name of [path, ...Object.keys(query)]) assert.ok(all.includes(`<code>${name}</code>`), name)
    }
    for (const name of Object.keys(SCHEMAS)) assert.ok(all.includes(`id="thing-${name}"`), name)
    for (const code of Object.keys(ERRORS)) assert.ok(pages.get('/docs/errors')!.includes(`id="error-${code}"`), code)
  })

  test('the first page has an anchor for every endpoint and every error, because problem documents lead there', () => {
    const first = pages.get('/docs')!
    for (const { id } of ENDPOINTS) assert.ok(first.includes(`id="${id}"`), id)
    for (const code of Object.keys(ERRORS)) assert.ok(first.includes(`id="error-${code}"`), code)
  })

  test('every link leads to a page and an anchor that exist, and no id is there twice', () => {
    const wrong: string[] = []
    for (const [path, page] of pages) {
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
      wrong.push(...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path} has ${id} twice`))
      for (const [, link] of page.matchAll(/href="([^"]+)"/g)) {
        const [target, anchor] = link!.replace(/\?code=\w+/, '').split('#') as [string, string | undefined]
        const other = target === '' ? page : pages.get(target)
        if (!/^(https?:|\/(?!docs))/.test(target) && other === undefined) wrong.push(`${path}: ${link}`)
        if (anchor && other !== undefined && !other.includes(` id="${anchor}"`)) wrong.push(`${path}: ${link}`)
      }
    }
    assert.deepEqual(wrong, [])
  })

  test('pages load nothing from outside, and show the public address', () => {
    for (const [path, page] of pages) {
      assert.doesNotMatch(page, /<(img|iframe)|src="(?!\/)|@import|url\(/, path)
      assert.doesNotMatch(page, /localhost:8080/, path)
    }
    assert.ok(pages.get('/docs/paging')!.includes('https://feed.example/v1/incidents'))
  })

  test('every guide is served', () => {
    const names = globSync('*.md', { cwd: new URL('../../docs/guides', import.meta.url) })
    const guides = names.filter((name) => name !== 'README.md').map((name) => `/docs/${name.replace('.md', '')}`)
    assert.deepEqual(
      guides.filter((path) => !pages.has(path)),
      [],
    )
  })

  test('the limits are those in force', () => {
    assert.match(pages.get('/docs/limits')!, /<td>Requests per minute and account, over all its keys<\/td><td>77<\/td>/)
  })

  test('the changelog is served', () => {
    assert.match(pages.get('/docs/changelog')!, /<h2 id="0-1-0-2026-11-15">0\.1\.0/)
  })

  test('an address chooses the language of the samples without a script', async () => {
    const python = await (await fetch(`${app.url}/docs/start?code=python`)).text()
    assert.match(python, /<html lang="en" data-code="python">/)
    for (const strange of ['?code=cobol', '?code=python&code=go', '?code=%22%3E']) {
      assert.match(await (await fetch(`${app.url}/docs/start${strange}`)).text(), /<html lang="en" data-code="curl">/)
    }
  })

  test('the search knows guides, endpoints, objects and errors, each with an address that exists', async () => {
    const index = (await (await fetch(`${app.url}/docs/search.json`)).json()) as [string, string, string, string][]
    const addresses = new Set(index.map(([, , address]) => address))
    for (const wanted of ['/docs/paging', '/docs/reference/incidents#listIncidents', '/docs/errors#error-rate_limited'])
      assert.ok(addresses.has(wanted), wanted)
    for (const address of addresses) {
      const [path, anchor] = address.split('#') as [string, string | undefined]
      assert.ok(pages.get(path)?.includes(anchor === undefined ? '<h1' : ` id="${anchor}"`), address)
    }
  })
})

describe('markdown', () => {
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
})
