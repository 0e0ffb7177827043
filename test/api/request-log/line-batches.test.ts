import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DescriptorDestination, LineBatches, type LineDestination } from '../../../src/api/request-log.ts'
import { until } from '../../support/app.ts'
import { temporaryFolder } from '../../support/folder.ts'

/** A destination that can refuse, as one whose reader hangs. */
function aDestination() {
  const written: string[] = []
  const state = { isFull: false }
  const destination: LineDestination = {
    write(text) {
      if (!state.isFull) written.push(text)
      return !state.isFull
    },
    flush: async () => {},
  }
  return { destination, written, state }
}

test('many lines share one write, of which none is larger than a pipe takes in one piece', async () => {
  const { destination, written } = aDestination()
  const batches = new LineBatches(destination, () => '')
  const lines = Array.from({ length: 100 }, (_, number) => `${String(number).padEnd(200, '.')}\n`)
  for (const line of lines) batches.add(line)
  await batches.flush()
  assert.equal(written.join(''), lines.join(''))
  assert.equal(written.length, 5)
  assert.ok(written.every((text) => text.length <= 4096 && text.endsWith('\n')))
})

test('a line is written soon, even if no other follows', async () => {
  const { destination, written } = aDestination()
  new LineBatches(destination, () => '').add('one\n')
  assert.deepEqual(written, [])
  await until(() => written.length > 0)
  assert.deepEqual(written, ['one\n'])
})

test('lines that nobody reads are dropped and counted, and the log says how many', async () => {
  const { destination, written, state } = aDestination()
  const batches = new LineBatches(destination, (count) => `dropped ${count}\n`)
  state.isFull = true
  batches.add('one\n')
  batches.add('two\n')
  await batches.flush()
  state.isFull = false
  batches.add('three\n')
  await batches.flush()
  assert.deepEqual(written, ['dropped 2\n', 'three\n'])
})

test('a file has every line, in order', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'log')
  const descriptor = openSync(path, 'a')
  const batches = new LineBatches(new DescriptorDestination(descriptor), () => '')
  const lines = Array.from({ length: 1000 }, (_, number) => `line ${number} ${'.'.repeat(100)}\n`)
  for (const line of lines) batches.add(line)
  await batches.flush()
  assert.equal(readFileSync(path, 'utf8'), lines.join(''))
  closeSync(descriptor)
})
