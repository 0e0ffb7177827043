import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { temporaryFolder } from '../support/folder.ts'
import { requireSlowTier } from '../support/tier.ts'

const RUNNER = new URL('../../scripts/tests/run-in-groups.ts', import.meta.url).href

/** Tests of all kinds; `ends` ends its process, as if all were well. */
const FILES = {
  'a-hooks': `let ready = false
    before(() => { ready = true })
    test('has what its hook made', () => assert.ok(ready))`,
  'b-fails': `test('fails for a reason', () => assert.equal(1, 2))
    test('passes beside it', () => {})`,
  'c-missing': `import './no-such-file.mjs'`,
  'd-skips': `test('is skipped aloud', { skip: 'no such part' }, () => {})`,
  'e-ends': `test('ends the process', () => process.exit(0))`,
  'f-after': `test('comes after the end', () => {})`,
} as const

async function run(names: readonly (keyof typeof FILES)[]): Promise<{ code: number | null; output: string }> {
  requireSlowTier('another process')
  await using folder = await temporaryFolder()
  const files = names.map((name) => join(folder.path, `${name}.test.mjs`))
  for (const [index, name] of names.entries())
    writeFileSync(
      files[index]!,
      `import assert from 'node:assert'\nimport { before, test } from 'node:test'\n${FILES[name]}`,
    )
  const asked = { grouped: files, alone: [], options: [], cache: join(folder.path, 'cache'), groupSize: 20 }
  const code = `import { runInGroups } from '${RUNNER}'; process.exitCode = await runInGroups(${JSON.stringify(asked)})`
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...env, FORCE_COLOR: '0' },
    encoding: 'utf8',
  })
  return { code: status, output: stdout + stderr }
}

const countIn = (output: string, what: string) =>
  [...output.matchAll(new RegExp(`^ℹ ${what} (\\d+)$`, 'gm'))].map(([, count]) => Number(count))

it('says what failed, and where; a file that cannot be loaded fails alone; what is skipped is counted', async () => {
  const { code, output } = await run(['a-hooks', 'b-fails', 'c-missing', 'd-skips'])
  assert.equal(code, 1)
  assert.match(output, /✔ has what its hook made/)
  assert.match(output, /test at .*b-fails\.test\.mjs:3:1\n✖ fails for a reason/)
  assert.match(output, /✔ passes beside it/)
  assert.match(output, /✖ .*c-missing\.test\.mjs[\s\S]*Cannot find module .*no-such-file/)
  assert.match(output, /﹣ is skipped aloud .*# no such part/)
  const counts = ['tests', 'pass', 'fail', 'skipped'].map((what) => countIn(output, what))
  assert.deepEqual(counts, [[4], [2], [1], [1]])
})

it('runs the files of a group again, each alone, if a test has ended its process', async () => {
  const { code, output } = await run(['a-hooks', 'b-fails', 'e-ends', 'f-after'])
  assert.equal(code, 1)
  assert.match(output, /A test ended its process\. These 4 files run again, each alone:/)
  const alone = output.slice(output.indexOf('each alone'))
  assert.match(alone, /✔ comes after the end/)
  assert.match(alone, /test at .*b-fails\.test\.mjs:3:1\n✖ fails for a reason/)
})

it('fails if a test has ended its process, though nothing else did', async () => {
  const { code, output } = await run(['a-hooks', 'e-ends', 'f-after'])
  assert.equal(code, 1, output)
})

it('succeeds if all do', async () => {
  const { code, output } = await run(['a-hooks', 'd-skips', 'f-after'])
  assert.equal(code, 0, output)
})
