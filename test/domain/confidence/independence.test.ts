import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EvidenceSource, independentSources, sourceUrlKey } from '../../../src/domain/confidence.ts'
import { reliabilityFrom } from '../../../src/domain/publishers.ts'

const reliability = reliabilityFrom()

let page = 0
const from = (publisher: string, more: Partial<EvidenceSource> = {}): EvidenceSource => {
  return { publisher, url: `https://example.org/${++page}`, official: false, ...more }
}

const COUNTED: [what: string, sources: EvidenceSource[], count: number][] = [
  ['one publisher that tells it twice', [from('Punch'), from('The PUNCH Newspapers')], 1],
  ['an agency and its short name', [from('AFP'), from('Agence France Presse')], 1],
  [
    'one address under two names',
    [from('Punch', { url: 'http://a.ng/x' }), from('Vanguard', { url: 'https://www.a.ng/x/' })],
    1,
  ],
  ['two publishers without addresses', [from('Radio A', { url: null }), from('Radio B', { url: null })], 2],
  ['one publisher with and without an address', [from('Radio A', { url: null }), from('Radio A')], 1],
  [
    'a publisher that shares one address but has another',
    [from('Punch', { url: 'https://a.ng/1' }), from('Vanguard', { url: 'https://a.ng/1' }), from('Vanguard')],
    2,
  ],
  [
    'three names over two addresses',
    ['Punch', 'Vanguard', 'Daily Trust'].flatMap((name) => [
      from(name, { url: 'https://a.ng/1' }),
      from(name, { url: 'https://a.ng/2' }),
    ]),
    2,
  ],
]

for (const [what, sources, count] of COUNTED) {
  test(`${what}: ${count}`, () => assert.equal(independentSources(sources, reliability).length, count))
}

test('the same page has one address', () => {
  const same = [
    'https://punchng.com/story?id=7',
    'http://www.punchng.com/story/?id=7#comments',
    'https://m.punchng.com/story/amp/?utm_source=x&id=7&fbclid=abc',
    ' https://PUNCHNG.com:443//story?ref=home&id=7 ',
  ]
  assert.equal(new Set(same.map(sourceUrlKey)).size, 1)
  const others = [
    'https://punchng.com/story?id=8',
    'https://punchng.com/Story?id=7',
    'https://ng.punchng.com/story?id=7',
  ]
  assert.equal(new Set([same[0]!, ...others].map(sourceUrlKey)).size, 4)
  assert.equal(sourceUrlKey('no address'), 'no address')
})

test('ten thousand sources are no work', () => {
  const sources = Array.from({ length: 10_000 }, (_, number) => from(`Publisher ${number}`))
  assert.equal(independentSources(sources, reliability).length, 10_000)
  const repeated = sources.map((source) => ({ ...source, url: 'https://example.org/wire' }))
  assert.equal(independentSources(repeated, reliability).length, 1)
})
