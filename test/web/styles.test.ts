import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

test('every font size follows the reader’s own: rem, not px', () => {
  const files = globSync('web/{map,shared}/**/*.css', { cwd: ROOT })
  assert.ok(files.length > 10)
  const fixed = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/font(-size)?:[^;]*?[\d.]+px/g)].map(
      ([rule]) => `${file}: ${rule}`,
    ),
  )
  assert.deepEqual(fixed, [])
})
