import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseItems, plainText } from '../../../src/desk/sources/feed-worker.ts'

const TIME = Date.UTC(2026, 10, 16, 10)
const FEEDS: Readonly<Record<string, string>> = {
  RSS: `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>x</title><item>
    <title>A &amp; B</title><link>https://e.example.org/a</link><guid isPermaLink="false">7</guid>
    <pubDate>Mon, 16 Nov 2026 10:00:00 GMT</pubDate><description>Short</description>
    <content:encoded><![CDATA[<p>Two <b>men</b></p><p>ran &amp; hid.</p><script>x()</script>]]></content:encoded></item></channel></rss>`,
  Atom: `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><id>7</id><title>A &amp;amp; B</title>
    <link rel="self" href="https://e.example.org/self"/><link rel="alternate" href="https://e.example.org/a"/>
    <published>2026-11-16T10:00:00Z</published><content type="html">&lt;p&gt;Two men&lt;/p&gt;ran &amp;amp; hid.</content></entry></feed>`,
  RDF: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel rdf:about="x"><title>t</title></channel><item rdf:about="7"><title>A &amp; B</title><link>https://e.example.org/a</link>
    <description>Two men&lt;br&gt;ran &amp;amp; hid.</description><dc:date>2026-11-16T10:00:00Z</dc:date></item></rdf:RDF>`,
  'JSON Feed': JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 't',
    items: [
      {
        id: '7',
        url: 'https://e.example.org/a',
        title: 'A & B',
        content_html: '<p>Two men</p><p>ran &amp; hid.</p>',
        date_published: '2026-11-16T10:00:00Z',
      },
    ],
  }),
}

for (const [format, document] of Object.entries(FEEDS))
  test(`${format} is read`, () => {
    assert.deepEqual(parseItems(document), [
      { guid: '7', url: 'https://e.example.org/a', title: 'A & B', text: 'Two men\nran & hid.', publishedAt: TIME },
    ])
  })

test('an item without GUID is known by its address, and one without address by its text', () => {
  const item = (fields: string) => `<rss version="2.0"><channel><title>x</title><item>${fields}</item></channel></rss>`
  assert.equal(
    parseItems(item('<title>A</title><link>https://e.example.org/a</link>'))[0]!.guid,
    'https://e.example.org/a',
  )
  const [one] = parseItems(item('<title>A</title>'))
  const [other] = parseItems(item('<title>B</title>'))
  assert.ok(one!.guid.length > 20 && one!.guid !== other!.guid)
  assert.deepEqual([one!.url, one!.publishedAt], [null, null])
  assert.deepEqual(parseItems(item('<link>https://e.example.org/a</link>')), [])
  assert.equal(parseItems(item('<title>A</title><link>javascript:alert(1)</link>'))[0]!.url, null)
  // It would be published with the story.
  const [withPassword] = parseItems(item('<title>A</title><link>https://me:s3cret@e.example.org/a</link>'))
  assert.equal(withPassword!.url, 'https://e.example.org/a')
})

test('an item of a JSON feed with NUL and half of a surrogate pair in each member is kept, without them', () => {
  const bad = 'x\0\ud800'
  const item = { id: bad, url: `https://e.example.org/${bad}`, title: `A ${bad} B`, content_text: `Two ${bad} men` }
  const document = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: bad, items: [item] })
  const [read] = parseItems(document)
  assert.deepEqual([read!.title, read!.text], ['A x \ufffd B', 'Two x \ufffd men'])
  assert.equal(read!.url, 'https://e.example.org/x%00%EF%BF%BD')
})

test('a text holds nothing that a database refuses, and no footer of WordPress', () => {
  assert.equal(
    plainText('a\u0000b\ud800c &#0; <p>The post <a>T</a> appeared first on <a>Herald</a>.</p>'),
    'a b\ufffdc \ufffd',
  )
  assert.equal(plainText('5 < 6 and <b>bold'), '5 < 6 and bold')
})
