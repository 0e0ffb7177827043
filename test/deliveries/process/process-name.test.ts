import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { hasEnded, newProcessName } from '../../../src/deliveries/heartbeat.ts'

const SOURCE = new URL('../../../src/deliveries/heartbeat.ts', import.meta.url).href

/** Returns the name of another process, which has ended. */
async function nameOfEndedProcess(): Promise<string> {
  const code = `import { newProcessName } from '${SOURCE}'; process.stdout.write(newProcessName())`
  return (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code])).stdout
}

test('no two names are the same', () => {
  assert.notEqual(newProcessName(), newProcessName())
})

test('an ended process of this machine is recognized by its name', { skip: process.platform !== 'linux' }, async () => {
  assert.equal(hasEnded(await nameOfEndedProcess()), true)
})

test('a running process of this machine has not ended', { skip: process.platform !== 'linux' }, () => {
  const [space, , unique] = newProcessName().split('/')
  assert.equal(hasEnded([space, process.ppid, unique].join('/')), false)
})

test('an earlier process with the pid of this one has ended', { skip: process.platform !== 'linux' }, () => {
  const name = newProcessName()
  assert.equal(hasEnded(name), false)
  assert.equal(hasEnded(name.replace(/[^/]+$/, 'another')), true)
})

test('a process of another machine counts as running', async () => {
  const [, ...rest] = (await nameOfEndedProcess()).split('/')
  for (const space of ['elsewhere', '']) assert.equal(hasEnded([space, ...rest].join('/')), false, space)
})
