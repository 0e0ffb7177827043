import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { RETRY_DELAYS } from '../../src/domain/retry.ts'

const page = await readFile(new URL('../../docs/guides/webhooks.md', import.meta.url), 'utf8')

test('the page tells the retries as they are', () => {
  const words = RETRY_DELAYS.map((delay) => {
    const seconds = delay / 1000
    return seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`
  })
  assert(page.replaceAll('\n', ' ').includes(`${words.slice(0, -1).join(', ')} and ${words.at(-1)}`), words.join(', '))
})
