import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import type { Job } from '../../scripts/tests/jobs.ts'
import { type Result, runJobs } from '../../scripts/tests/run-jobs.ts'
import { temporaryFolder } from '../support/folder.ts'
import { requireSlowTier } from '../support/tier.ts'

/** Tests of all kinds; `ends` ends its process, as if all were well. */
const FILES = {
  'a-hooks': `let ready = false
    before(() => { ready = true })
    test('has what its hook made', () => assert.ok(ready))`,
  'b-fails': `test('fails for a reason', () => assert.equal(1, 2))
    test('passes beside it', () => console.log('said on the way'))`,
  'c-missing': `import './no-such-file.mjs'`,
  'd-skips': `test('is skipped aloud', { skip: 'no such part' }, () => {})`,
  'e-ends': `test('ends the process', () => process.exit(0))`,
  'f-after': `test('comes after the end', () => {})`,
  'g-uses': `test('uses what was set up', () => assert.equal(process.env.SET_UP, 'yes'))`,
} as const

const command = (name: string, more: Partial<Job> = {}): Job =>
  ({ kind: 'command', part: 'build', name, estimate: 0, waitsFor: [], ...more }) as Job

const tests = (name: string, ...files: readonly (keyof typeof FILES)[]): Job => ({
  ...{ kind: 'test', part: 'slow', name, estimate: 0, waitsFor: [] },
  files: files.map((file) => `${file}.test.mjs`),
})

async function run(jobs: readonly Job[], workers = 2): Promise<Result[]> {
  requireSlowTier('another process')
  await using folder = await temporaryFolder()
  for (const [name, text] of Object.entries(FILES))
    writeFileSync(
      join(folder.path, `${name}.test.mjs`),
      `import assert from 'node:assert'\nimport { before, test } from 'node:test'\n${text}`,
    )
  writeFileSync(join(folder.path, 'setup.mjs'), SETUP)
  return await runJobs(jobs, { folder: folder.path, workers })
}

const SETUP = `export const globalSetup = async () => { process.env.SET_UP = 'yes' }
export const globalTeardown = async () => { delete process.env.SET_UP }`

const failuresOf = (results: readonly Result[]) => results.flatMap(({ failures }) => failures).join('\n')
const testsIn = (results: readonly Result[]) =>
  results.flatMap(({ lines }) => lines).reduce((sum, line) => (line.type === 'end' ? sum + line.tests : sum), 0)

it('says what failed, and where; a file that cannot be loaded fails alone; what is skipped is named', async () => {
  const results = await run([tests('a group', 'a-hooks', 'b-fails', 'c-missing', 'd-skips')])
  const failures = failuresOf(results)
  assert.match(failures, /✖ b-fails\.test\.mjs > fails for a reason\n {2}at .*b-fails\.test\.mjs:3:1\n[\s\S]*1 == 2/)
  assert.match(failures, /✖ c-missing\.test\.mjs\n[\s\S]*Cannot find module .*no-such-file/)
  assert.doesNotMatch(failures, /✖ .*(a-hooks|beside|d-skips)/)
  assert.match(failures, /said on the way/)
  const [{ lines }] = results as [Result]
  assert.deepEqual(
    lines.filter(({ type }) => type === 'skipped'),
    [{ type: 'skipped', test: 'd-skips.test.mjs > is skipped aloud', reason: 'no such part' }],
  )
  assert.equal(testsIn(results), 4)
})

it('runs the files of a process again, each alone, if a test has ended it', async () => {
  const results = await run([tests('a group', 'a-hooks', 'b-fails', 'e-ends', 'f-after')])
  assert.match(results[0]!.failures.join(), /a test ended its process \(0\)/)
  const again = Object.fromEntries(results.slice(1).map(({ job, failures }) => [job.name.slice(0, 7), failures.join()]))
  assert.deepEqual(Object.keys(again).sort(), ['a-hooks', 'b-fails', 'e-ends.', 'f-after'])
  assert.equal(again['a-hooks'] || again['f-after'], '')
  assert.match(again['b-fails']!, /fails for a reason/)
  // Node takes it for a success.
  assert.match(again['e-ends.']!, /a test ended its process \(0\)/)
})

it('gives the tests what their setup has made, records what each file took, and takes it down', async () => {
  const setup = { kind: 'setup', part: 'slow', name: 'set up', estimate: 0, waitsFor: [], file: 'setup.mjs' } as const
  const results = await run([{ ...tests('a group', 'g-uses', 'a-hooks'), waitsFor: ['set up'] }, setup])
  assert.equal(failuresOf(results), '')
  const files = results.flatMap(({ lines }) => lines.flatMap((line) => (line.type === 'file' ? [line] : [])))
  assert.deepEqual(
    files.map(({ file }) => file),
    ['g-uses.test.mjs', 'a-hooks.test.mjs'],
  )
  assert.ok(files.every(({ wall, cpu }) => wall > 0 && cpu >= 0))
  assert.ok(results.find(({ job }) => job.kind === 'test')!.took.cpu > 0)
  assert.equal(process.env.SET_UP, undefined)
})

it('starts the longest first, so many at once as there are workers, after what it waits for', async () => {
  const order = (results: readonly Result[]) => results.map(({ job }) => job.name)
  const jobs = [1, 3, 2].map((estimate) => command(`echo ${estimate}`, { estimate }))
  assert.deepEqual(order(await run(jobs, 1)), ['echo 3', 'echo 2', 'echo 1'])
  const waits = command('echo 9', { estimate: 9, waitsFor: ['echo 1'] })
  assert.deepEqual(order(await run([...jobs, waits], 1)), ['echo 3', 'echo 2', 'echo 1', 'echo 9'])
})

it('shows what a command that failed has written, and does not run what waits for it', async () => {
  const [failed, left] = await run([
    command('echo it is broken; exit 3'),
    { ...tests('a group', 'a-hooks'), waitsFor: ['echo it is broken; exit 3'] },
  ])
  assert.match(failed!.failures.join(), /it is broken\n/)
  assert.match(left!.failures.join(), /not run: “echo it is broken; exit 3” failed/)
})
