import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { listCommand, watchCommand } from '../../../../../web/map/ui/share/curl-commands.ts'

/** What a shell hands to curl. */
function wordsOf(command: string): string[] {
  const printed = execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\0'")])
  return printed.toString().split('\0').slice(0, -1)
}

test('the copied call asks for the filter, whatever stands in it', () => {
  const filter = new URLSearchParams({ state: "NG-KD,it's $(odd) & more", since: '30d' })
  const [url, , header] = wordsOf(listCommand('https://example.org', filter))
  assert.deepEqual(new URL(url!).searchParams, filter)
  assert.equal(header, 'Authorization: Bearer <key>')
})

test('a watch takes the filter without its time', () => {
  const filter = new URLSearchParams({ state: 'NG-KD,NG-LA', min_confidence: '0.7', since: '30d', bbox: '1,2,3,4' })
  const body = JSON.parse(wordsOf(watchCommand('https://example.org', filter, "Ada's"))[6]!)
  assert.deepEqual(body, {
    name: "Ada's",
    url: 'https://example.org/hooks/incidents',
    filter: { state: ['NG-KD', 'NG-LA'], min_confidence: 0.7 },
  })
})
