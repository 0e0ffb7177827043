import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runCommand } from '../support/commands.ts'
import { type FeedServer, rss, sendFeed, sendStatus, startFeedServer } from '../support/receivers.ts'

let folder: string
let environment: Record<string, string>
let server: FeedServer
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sources-'))
  environment = { DATABASE_URL: `sqlite:${join(folder, 'feed.db')}`, WEBHOOK_ALLOW_PRIVATE: 'true' }
  const stories = [
    { guid: '1', title: 'Bandits kill nine in Maradun, Zamfara State' },
    { guid: '2', title: 'Kano Pillars beat Enyimba 2-1' },
  ]
  server = await startFeedServer(sendFeed(rss(stories)))
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const run = (...words: string[]) => runCommand(['sources', ...words], environment)

test('a source is added, listed, tested, paused, resumed and removed', async () => {
  assert.match((await run('list', '--create')).output, /^There is no source yet/)
  const added = await run('add', '--url', server.url, '--publisher', 'Herald', '--every-minutes', '5')
  assert.equal(added.code, 0, added.output)
  const [id] = /src_\w+/.exec(added.output)!
  assert.match(added.output, /is added\. The service polls it within seconds, then every 5 minutes\./)
  const again = await run('add', '--url', server.url, '--publisher', 'Herald')
  assert.deepEqual([again.code, /^incident-feed: /.test(again.output)], [1, true], again.output)

  const listed = async () => (await run('list')).output
  assert.match(await listed(), new RegExp(`^${id}  Herald  ${server.url}\n  new, every 5 minutes, 0 items`))
  assert.match((await run('pause', id)).output, /is paused/)
  assert.match(await listed(), /\n {2}paused, /)
  assert.match((await run('resume', id)).output, /is polled again/)
  assert.match(await listed(), /\n {2}new, /)

  const before = await listed()
  const tested = await run('test', id)
  assert.equal(tested.code, 0, tested.output)
  assert.match(tested.output, /^2 items\n/)
  assert.match(tested.output, /Bandits kill nine .*\n {2}banditry, Maradun, Zamfara \(/)
  assert.match(tested.output, /Kano Pillars beat Enyimba 2-1\n$/)
  assert.equal(await listed(), before)

  assert.match((await run('remove', id)).output, /is removed; its reports stay/)
  assert.match(await listed(), /^There is no source yet/)
  assert.equal((await run('remove', id)).code, 1)
})

test('a feed that fails is named with its problem, and wrong words get a sentence', async () => {
  server.answer(sendStatus(500))
  const failing = await run('test', server.url)
  assert.equal(failing.code, 1)
  assert.match(failing.output, /^server_error: The server answered 500\./)
  for (const [words, expected] of [
    [['erase'], /the actions of sources are add, list, test/],
    [['add', '--url', server.url], /give --url and --publisher/],
    [['add', '--url', 'ftp://example.org', '--publisher', 'Herald'], /--url must begin with https/],
    [['add', '--url', 'https://me:s3cret@1.1.1.1/', '--publisher', 'Herald'], /--url contains a user name or password/],
    [['add', '--url', server.url, '--publisher', 'Herald', '--every-minutes', '0'], /a whole number from 1 to/],
    [['pause'], /name one source/],
    [['pause', 'src_none'], /source/],
  ] as const) {
    const { code, output } = await run(...words)
    assert.equal(code, 1, output)
    assert.match(output, /^incident-feed: /)
    assert.match(output, expected)
  }
})

describe('extract', () => {
  const STORY =
    'Bandits on Tuesday killed nine people in Maradun, Zamfara State. In a separate attack, gunmen abducted a doctor in Ifelodun.'

  const run = (words: readonly string[], input: string) => runCommand(['extract', ...words], {}, input)

  test('a story is printed as lines with the words that each field was read from', async () => {
    const { code, output } = await run(['--published-at', '2026-11-11'], STORY)
    assert.equal(code, 0)
    assert.match(output, /^Banditry \(Armed conflict\), score 0\.\d+\n/)
    assert.match(output, /place +Maradun, Zamfara \(settlement, within \d+ km\) {2}“Maradun/)
    assert.match(output, /when +2026-11-10 \(day\) {2}“on Tuesday”/)
    assert.match(output, /killed +9 {2}“killed nine”/)
    assert.match(output, /\n\nKidnapping .*/)
    assert.match(output, /place +a question {2}“Ifelodun”\n +perhaps Ifelodun, \w+ .*\n +or {6}Ifelodun, \w+ /)
  })

  test('--json prints what the API answers', async () => {
    const { output } = await run(['--json', '--published-at', '2026-11-11'], STORY)
    const { candidates } = JSON.parse(output) as {
      candidates: { evidence: { start: number; end: number; text: string }[] }[]
    }
    assert.equal(candidates.length, 2)
    for (const { start, end, text } of candidates.flatMap(({ evidence }) => evidence))
      assert.equal(STORY.slice(start, end), text)
  })

  test('what is no story is said so', async () => {
    assert.match((await run([], 'Eagles beat Ghana in Uyo.')).output, /^The story reports no incident\.\n$/)
    const empty = await run([], '')
    assert.equal(empty.code, 1)
    assert.match(empty.output, /there is no story on standard input/)
    const long = await run([], 'x'.repeat(30_000))
    assert.equal(long.code, 1)
    assert.match(long.output, /longer than 20000 characters/)
    const undated = await run(['--published-at', 'Tuesday'], STORY)
    assert.equal(undated.code, 1)
    assert.match(undated.output, /must be an RFC 3339 time or a date/)
  })
})
