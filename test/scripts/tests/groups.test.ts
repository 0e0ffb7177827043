import assert from 'node:assert/strict'
import { it } from 'node:test'
import { groupsOf } from '../../../scripts/tests/groups.ts'
import { testFiles } from '../../../scripts/tests/test-files.ts'

it('groups have every file once, neighbours together, and nearly the same size', () => {
  for (const count of [0, 1, 19, 20, 21, 41, 372]) {
    const files = Array.from({ length: count }, (_, index) => `test/${String(index).padStart(3, '0')}.test.ts`)
    const groups = groupsOf(files.toReversed(), 20)
    assert.deepEqual(groups.flat(), files)
    const sizes = groups.map(({ length }) => length)
    assert.ok(
      sizes.every((size) => size <= 20 && size >= Math.max(...sizes) - 1),
      sizes.join(' '),
    )
  }
})

it('fast and slow tests are told apart, and those in a browser left out', () => {
  const { fast, slow } = testFiles(new URL('../../..', import.meta.url).pathname)
  assert.ok(fast.includes('test/scripts/tests/groups.test.ts'))
  assert.ok(slow.includes('test/main.slow.test.ts'))
  assert.ok(![...fast, ...slow].some((file) => file.includes('/browser/')))
})
