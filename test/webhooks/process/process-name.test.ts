import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { hasEnded, newProcessName } from '../../../src/webhooks/process/process-name.ts'

const SOURCE = new URL('../../../src/webhooks/process/process-name.ts', import.meta.url).href

/** The name that another process gave itself, which has ended since. */
async function nameOfTheDead(): Promise<string> {
  const code = `import { newProcessName } from '${SOURCE}'; process.stdout.write(newProcessName())`
  return (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code])).stdout
}

test('no two names are the same', () => {
  assert.notEqual(newProcessName(), newProcessName())
})

test('a neighbour that has ended is known by its name', { skip: process.platform !== 'linux' }, async () => {
  assert.equal(hasEnded(await nameOfTheDead()), true)
})

test('a neighbour that runs is not', { skip: process.platform !== 'linux' }, () => {
  const [space, , unique] = newProcessName().split('/')
  assert.equal(hasEnded([space, process.ppid, unique].join('/')), false)
})

test('who had the number of this process before it has ended', { skip: process.platform !== 'linux' }, () => {
  const name = newProcessName()
  assert.equal(hasEnded(name), false)
  assert.equal(hasEnded(name.replace(/[^/]+$/, 'another')), true)
})

test("another machine's process cannot be looked for", async () => {
  const [, ...rest] = (await nameOfTheDead()).split('/')
  for (const space of ['elsewhere', '']) assert.equal(hasEnded([space, ...rest].join('/')), false, space)
})
