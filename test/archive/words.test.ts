import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderStatistics } from '../../src/api/statistics.ts'
import { Archive } from '../../src/archive/archive.ts'
import type { Postings } from '../../src/archive/words/postings.ts'
import { phraseTest } from '../../src/archive/words/summary-words.ts'
import { Vocabulary } from '../../src/archive/words/vocabulary.ts'
import { WordIndex, WordScanner } from '../../src/archive/words/word-index.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { EVERYTHING, indexedFieldsOf } from '../../src/filter/filter.ts'
import { matches, summaryHasTerms } from '../../src/filter/matches.ts'
import { places } from '../../src/geo/places.ts'
import { parseTerms, phraseWords } from '../../src/lib/search-terms.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { DAY, EPOCH, filter, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import { anEvent, archiveIn, aSnapshot, documentForm, emptyArchive, incidentsOn } from '../support/archive.ts'
import fc, { anyText } from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'
import { tries } from '../support/tier.ts'

const NOW = EPOCH + 13 * DAY

function termsOf(text: string): readonly string[] {
  const parsed = parseTerms(text)
  return 'terms' in parsed ? parsed.terms : []
}

/** Asks the index and then the document, which lies between other bytes, as in a slab. */
function documentHasTerms(document: Uint8Array, terms: readonly string[]): boolean {
  const around = Buffer.from('"summary":"gunmen market school","sources":[')
  const slab = Buffer.concat([around, document, around])
  const place = [slab, around.length, around.length + document.length] as const
  const scanner = new WordScanner()
  scanner.add(0, ...place)
  const index = new WordIndex()
  index.addScanned(scanner.finish(1))
  return index.find(terms).has(0) && phraseTest(terms.filter((term) => phraseWords(term) !== null))(...place)
}

/** The same for an arrival, of which only the summary is read. */
function summaryIsFound(summary: string, terms: readonly string[]): boolean {
  const index = new WordIndex()
  index.set(0, 'gunmen market school')
  index.set(0, summary)
  return index.find(terms).has(0)
}

const bytesOf = (summary: string) => new TextEncoder().encode(JSON.stringify(anIncident(1, { summary })))

const CASES: [string, string, boolean][] = [
  ['Gunmen attacked a market in Gonin Gora.', 'gunmen market', true],
  ['Gunmen attacked a market in Gonin Gora.', 'GORA gun', true],
  ['Gunmen attacked a market in Gonin Gora.', 'GORA* gun*', true],
  ['Gunmen attacked a market in Gonin Gora.', 'men', false],
  ['Gunmen attacked a market in Gonin Gora.', 'gunmen school', false],
  ['Gunmen attacked a market in Gonin Gora.', '"gonin gora"', true],
  ['Gunmen attacked a market in Gonin Gora.', '"Gunmen attacked" mark "in"', true],
  ['Gunmen attacked a market in Gonin Gora.', '"gora gonin"', false],
  ['Gunmen attacked a market in Gonin Gora.', '"gunmen market"', false],
  ['Gunmen attacked a market in Gonin Gora.', '"gonin gor"', false],
  ['Gunmen attacked a market in Gonin Gora.', '"gonin gora" "market gonin"', false],
  ['Gunmen attacked a market in Gonin Gora.', '"market gonin" "gonin gora"', false],
  ['Gunmen attacked a market in Gonin Gora.', '"market"', true],
  ['Gunmen attacked a market in Gonin Gora.', '"mark"', false],
  ['Gonin, then Gora; later Gonin – “Gora”', '"gonin gora"', true],
  ["Kidnappers in Jema'a.", 'jemaa', true],
  ['Kidnappers in Jema’a, Ọ̀ṣun.', 'jemaa osun', true],
  ['Kidnappers in Jema’a, Ọ̀ṣun.', '"JEMAA Ọ̀ṢUN"', true],
  ['The Jibia–Katsina road', '"jibia katsina"', true],
  ['Men in Ƙaura said "stop".', 'kaura stop', true],
  ['Men said "stop" there', '"said stop there"', true],
  ['A line\nbreak and a \\ backslash', 'break backslash', true],
  ['A line\nbreak and a \\ backslash', 'nbreak', false],
  ['Ends with a quote "', 'quote', true],
  ['12 villagers, 3 vehicles', '12 3', true],
  ['12 villagers', '2', false],
  ['words","sources":[ in the text', 'sources', true],
  ['', 'anything', false],
  ["'Gunmen' of O'Brien's", 'gunmen obriens', true],
  ['a b c d e f g hi', 'h g f e d c b a', true],
  ['a b c d e f g', 'h g f e d c b a', false],
  [`${'word '.repeat(1000)}end`, 'end', true],
  [`${'word '.repeat(1000)}end`, '"word end"', true],
  [`${'word '.repeat(1000)}end`, 'other', false],
  [`${'łé'.repeat(5000)} end`, 'end', true],
]

for (const [summary, q, expected] of CASES) {
  test(`${JSON.stringify(summary).slice(0, 60)} ${expected ? 'has' : 'does not have'} ${q}`, () => {
    const terms = termsOf(q)
    assert.equal(summaryHasTerms(summary, terms), expected)
    assert.equal(documentHasTerms(bytesOf(summary), terms), expected)
    if (!q.includes(' ')) assert.equal(summaryIsFound(summary, terms), expected)
  })
}

const PARTS = [
  'gunmen',
  'Gun',
  "Jema'a",
  'Ọ̀ṣun',
  '"',
  '\\',
  '12',
  ' ',
  ' ',
  ',',
  '-',
  '","sources":[',
  '_',
  '`',
  '\n',
  'ß',
  'İ',
]
const MORE_PARTS = ['–', '’', '‘', '“', '‛', '\u2011', '\u2017', '…', '\u001f', 'a', 'gunm', '🙂']
const summaryText = fc.oneof(
  fc.array(fc.constantFrom(...PARTS, ...MORE_PARTS)).map((list) => list.join('')),
  anyText(),
)

test('the index and the document are read as the summary means, for any text', () => {
  const q = fc.oneof(
    fc.constantFrom('gun', 'jemaa', '"osun"', '12', 'sources', 'ss', 'i', '"gunmen gun"'),
    summaryText,
    summaryText.map((text) => `"${text.replaceAll(/["“”„*]/g, ' ')}"`),
  )
  fc.assert(
    fc.property(summaryText, q, (text, asked) => {
      const terms = termsOf(asked)
      fc.pre(terms.length > 0)
      assert.equal(documentHasTerms(bytesOf(text), terms), summaryHasTerms(text.toWellFormed(), terms))
    }),
    { numRuns: tries(2000) },
  )
})

test('a document in another order is parsed', () => {
  const { summary, ...rest } = anIncident(1, { summary: 'Gunmen in a market' })
  const document = new TextEncoder().encode(JSON.stringify({ ...rest, summary }, null, 1))
  assert.equal(documentHasTerms(document, ['"a market"', 'gun']), true)
  assert.equal(documentHasTerms(document, ['school']), false)
})

test('a vocabulary finds each word and those that begin with it, and forgets others without a trace', () => {
  const word = fc.stringMatching(/^[ab]{1,4}$|^[éß🙂]{1,2}$/u)
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 60 }), word, fc.array(fc.boolean()), (words, beginning, kept) => {
      const given = [...words, ...Array.from({ length: 5000 }, (_, number) => `x${number}`)]
      const bytes = given.map((one) => Buffer.from(one))
      let end = 0
      const ends = Uint32Array.from(bytes, ({ length }) => (end += length))
      const vocabulary = new Vocabulary()
      const numbers = vocabulary.addAll({ bytes: Buffer.concat(bytes), ends })
      assert.deepEqual(vocabulary.addAll({ bytes: Buffer.concat(bytes), ends }), numbers)
      const check = (one: Vocabulary, isKept: (index: number) => boolean) => {
        for (const [index, text] of words.entries())
          assert.equal(one.numberOf(Buffer.from(text)), isKept(index) ? numbers[index] : null)
        const expected = words.flatMap((text, index) => (isKept(index) && text.startsWith(beginning) ? [index] : []))
        assert.deepEqual([...one.numbersFrom(Buffer.from(beginning))], expected)
      }
      check(vocabulary, () => true)
      const used = Uint8Array.from(given, (_, index) => (index < words.length && kept[index] ? 1 : 0))
      check(Vocabulary.of(vocabulary.contentsOf(used)), (index) => kept[index] === true)
      vocabulary.keepOnly(used)
      check(vocabulary, (index) => kept[index] === true)
      assert.equal(Buffer.from(vocabulary.contents.bytes).includes('x4999'), false)
      check(Vocabulary.of(vocabulary.contentsOf(used)), (index) => kept[index] === true)
    }),
    { numRuns: tries(100) },
  )
})

const STEMS = ['gun', 'gunmen', 'market', 'mar', 'in', 'the', 'Jema’a', 'Ọ̀ṣun', '12', 'gonin', 'gora', 'zz'] as const
const sentence = fc.array(fc.constantFrom(...STEMS), { maxLength: 6 }).map((words) => words.join(' '))
const asked = fc
  .array(
    fc.oneof(
      fc.constantFrom('g', 'gun', 'gunm*', 'm', 'market', 'i', 'osun', 'j*', '1', 'absent', 'go'),
      fc.array(fc.constantFrom(...STEMS), { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((terms) => termsOf(terms.join(' ')))

function indexOf(chunks: readonly (readonly string[])[]): WordIndex {
  const index = new WordIndex()
  for (const summaries of chunks) {
    const scanner = new WordScanner()
    for (const [offset, summary] of summaries.entries()) {
      const bytes = bytesOf(summary)
      scanner.add(offset, bytes, 0, bytes.length)
    }
    index.addScanned(scanner.finish(summaries.length))
  }
  return index
}

test('compacting forgets the words that no summary has any more, and none that arrives meanwhile', () => {
  const index = indexOf([['gunmen hauwa'], ['market']])
  const hasWord = (word: string) => Buffer.from(index.vocabulary.contents.bytes).includes(word)
  index.set(0, 'gunmen redacted')
  index.set(1, 'market school')
  assert.equal(hasWord('hauwa'), true)
  const steps = index.compact()
  steps.next()
  index.set(0, 'gunmen redacted late')
  runToEnd(steps)
  assert.equal(hasWord('hauwa'), false)
  for (const word of ['gunmen', 'redacted', 'late']) assert.equal(index.find([word]).has(0), true, word)
  for (const word of ['market', 'school']) assert.equal(index.find([word]).has(1), true, word)
})

test('postings of slots in another order find the same, with changes that are not in them yet', () => {
  const chunk = fc.array(sentence, { minLength: 1, maxLength: 12 })
  const changed = fc.array(fc.tuple(fc.nat(), sentence), { maxLength: 5 })
  const swaps = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 })
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 1, maxLength: 4 }), changed, swaps, (chunks, changes, swapped) => {
      const index = indexOf(chunks)
      const count = chunks.flat().length
      for (const [slot, summary] of changes) index.set(slot % count, summary)
      const slots = Uint32Array.from({ length: count }, (_, slot) => slot)
      for (const [one, other] of swapped) {
        const [at, to] = [one % count, other % count]
        ;[slots[at], slots[to]] = [slots[to]!, slots[at]!]
      }
      const postings: Postings[] = []
      for (let at = 0; at < count; at += postings.at(-1)!.size) postings.push(runToEnd(index.postingsAt(slots, at)))
      const saved = WordIndex.of(index.vocabulary.contents, postings)
      for (const word of ['gun', 'market', 'in', 'jemaa', 'osun', '12', 'zz']) {
        const [before, after] = [index.find([word]), saved.find([word])]
        for (const [position, slot] of slots.entries()) assert.equal(after.has(position), before.has(slot), word)
      }
    }),
    { numRuns: tries(300) },
  )
})

const written = fc.tuple(incidentParts, sentence)
const change = fc.record({ pick: fc.nat(), to: fc.option(written, { freq: 4 }), isPinned: fc.boolean() })

const inOrder = (one: Incident, other: Incident) =>
  `${one.published_at}${one.id}` < `${other.published_at}${other.id}` ? -1 : 1

function idsFound(archive: Archive, wanted: typeof EVERYTHING, order: 'newest' | 'oldest', limit: number): string[] {
  const ids: string[] = []
  for (let after = null; ; ) {
    const { slots, next } = archive.findPage({ filter: wanted, order, limit, after, now: NOW })
    ids.push(...incidentsOn(archive, slots).map(({ id }) => id))
    if (next === null) return ids
    after = archive.positionOf(slots.at(-1)!) as never
  }
}

test('lists and counts have exactly the incidents that the words mean, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(written, { maxLength: 120 }),
      fc.array(written, { maxLength: 80 }),
      fc.array(change, { maxLength: 100 }),
      documentForm,
      fc.record({ filter, asked, isFiltered: fc.boolean() }),
      fc.integer({ min: 1, max: 9 }),
      async (loaded, arriving, changes, form, question, limit) => {
        const write = (
          [parts, summary]: typeof written extends fc.Arbitrary<infer One> ? One : never,
          number: number,
        ) => ({
          ...incidentFrom(parts, number),
          summary,
        })
        const wanted = { ...(question.isFiltered ? question.filter : EVERYTHING), words: question.asked }
        const standing = new Map<string, Incident>()
        const snapshot = loaded.map(write).toSorted(inOrder)
        await using scene = await archiveIn(form, aSnapshot(snapshot, 50))
        const { archive } = scene
        for (const one of snapshot) standing.set(one.id, one)
        const apply = (incident: Incident, kind?: Parameters<typeof anEvent>[2]) =>
          archive.apply([anEvent(archive.head.seq + 1, incident, kind)])
        for (const [index, one] of arriving.entries()) {
          const incident = write(one, loaded.length + index)
          standing.set(incident.id, incident)
          apply(incident)
        }
        const expected = () =>
          [...standing.values()]
            .filter((one) => matches(wanted, indexedFieldsOf(one), NOW) && summaryHasTerms(one.summary, wanted.words))
            .toSorted(inOrder)
            .map(({ id }) => id)
        const held: { pin: Disposable; finish: () => number; expected: number }[] = []
        for (const { pick, to, isPinned } of changes) {
          const number = pick % Math.max(1, loaded.length + arriving.length)
          const old = standing.get(anIncident(number).id)
          if (isPinned && held.length < 3) {
            // It sees nothing of what follows, whether or not it has looked at the words yet.
            const steps = archive.view.count({ filter: wanted, now: NOW })
            const begun = pick % 2 === 0 ? steps.next() : null
            const finish = () => (begun?.done ? begun.value : runToEnd(steps))
            held.push({ pin: archive.pin(), finish, expected: expected().length })
          }
          if (to !== null) {
            const incident = write(to, number)
            standing.set(incident.id, incident)
            apply(incident, old ? 'incident.updated' : 'incident.created')
          } else if (old !== undefined) {
            standing.delete(old.id)
            apply({ ...old, status: 'retracted' }, 'incident.retracted')
          }
          await scene.toFiles()
        }
        for (const one of held) {
          assert.equal(one.finish(), one.expected)
          one.pin[Symbol.dispose]()
        }
        for (const isCompact of [false, true]) {
          if (isCompact) runToEnd(archive.compactWords())
          assert.deepEqual(idsFound(archive, wanted, 'oldest', limit), expected())
          assert.deepEqual(idsFound(archive, wanted, 'newest', limit), expected().toReversed())
          assert.equal(runToEnd(archive.view.count({ filter: wanted, now: NOW })), expected().length)
        }
        const statistics = renderStatistics(
          archive.view,
          { groups: ['state'], timeZone: 'UTC', filter: wanted },
          places,
          NOW,
        )
        const { data } = JSON.parse(runToEnd(statistics).body.toString()) as { data: { count: number }[] }
        assert.equal(
          data.reduce((sum, { count }) => sum + count, 0),
          expected().length,
        )
      },
    ),
    { numRuns: tries(300) },
  )
})

const COUNT = 20_000
const MINUTE = 60_000
/** In published order, one a minute. */
const MANY = Array.from({ length: COUNT }, (_, number) =>
  anIncident(number, {
    summary: `common ${number % 1000 === 7 ? 'rare' : ''} word${number}`,
    published_at: new Date(EPOCH + number * MINUTE).toISOString(),
  }),
)

async function manyArrived(): Promise<Archive> {
  const archive = await emptyArchive()
  const inwards = MANY.map((_, index) => MANY[index % 2 ? index >> 1 : COUNT - 1 - (index >> 1)]!)
  const events = inwards.map((incident, index) => anEvent(index + 1, incident))
  for (let start = 0; start < COUNT; start += 1777) archive.apply(events.slice(start, start + 1777))
  return archive
}

const manyLoaded = () => Archive.load(aSnapshot(MANY, 1300), undefined, 3000)

for (const [name, make] of [
  ['loaded in their order', manyLoaded],
  ['arrived in another', manyArrived],
] as const)
  test(`words are found among many segments, in any window, of incidents that were ${name}`, async () => {
    const archive = await make()
    const within = (words: string[], first = 0, end = COUNT) => ({
      ...EVERYTHING,
      words,
      publishedFrom: EPOCH + first * MINUTE,
      publishedTo: EPOCH + end * MINUTE,
    })
    const rare = MANY.filter(({ summary }) => summary.includes('rare')).map(({ id }) => id)
    assert.deepEqual(idsFound(archive, within(['rare']), 'oldest', 3), rare)
    assert.deepEqual(idsFound(archive, within(['rare']), 'newest', 100), rare.toReversed())
    assert.deepEqual(idsFound(archive, within(['"word19999"']), 'newest', 100), [MANY[19_999]!.id])
    assert.equal(idsFound(archive, within(['word1999']), 'newest', 100).length, 11)
    const windows = fc
      .tuple(fc.nat(COUNT), fc.nat(COUNT))
      .map(([one, other]) => [Math.min(one, other), Math.max(one, other)])
    fc.assert(
      fc.property(windows, ([first, end]) => {
        const inside = MANY.slice(first, end).map(({ id }) => id)
        const wanted = within(['common'], first, end)
        assert.equal(runToEnd(archive.view.count({ filter: wanted, now: NOW })), inside.length)
        const ends = [inside.slice(0, 20), inside.slice(-20).toReversed()]
        for (const [index, order] of (['oldest', 'newest'] as const).entries()) {
          const { slots } = archive.findPage({ filter: wanted, order, limit: 20, after: null, now: NOW })
          assert.deepEqual(
            slots.map((slot) => archive.idOf(slot)),
            ends[index],
          )
        }
      }),
      { numRuns: tries(100) },
    )
    assert.ok(archive.wordMemory > 5 * COUNT, `${archive.wordMemory} bytes`)
    const { words } = archive.pinContents()
    assert.ok(words.blocks.every(({ size }) => size <= 8192))
  })

test('a word that was taken out of the only summary with it leaves the memory', async () => {
  const archive = await emptyArchive()
  const named = anIncident(1, { summary: 'Aishatu was abducted' })
  archive.apply([anEvent(1, named), anEvent(2, anIncident(2))])
  archive.apply([{ ...anEvent(3, { ...named, summary: 'A woman was abducted' }, 'incident.updated'), redacted: true }])
  const { words } = archive.pinContents()
  const isKnown = () => Buffer.from(words.vocabulary.contents.bytes).includes('aishatu')
  assert.equal(idsFound(archive, { ...EVERYTHING, words: ['aishatu'] }, 'newest', 9).length, 0)
  assert.equal(isKnown(), true)
  runToEnd(archive.compactWords())
  assert.equal(isKnown(), false)
  assert.deepEqual(idsFound(archive, { ...EVERYTHING, words: ['"woman"', 'abd'] }, 'newest', 9), [named.id])
})
