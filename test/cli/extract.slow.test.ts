import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCommand } from '../support/commands.ts'

const STORY =
  'Bandits on Tuesday killed nine people in Maradun, Zamfara State. In a separate attack, gunmen abducted a doctor in Ifelodun.'

async function run(words: readonly string[], input: string) {
  const { ended, output } = startCommand(['extract', ...words], {}, input)
  return { code: await ended, output: output() }
}

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
