import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { listCommand, watchCommand } from '../../../../../web/map/ui/share/curl-commands.ts'

/** Returns the arguments that a shell passes to curl. */
function argumentsOf(command: string): string[] {
  const printed = execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\0'")])
  return printed.toString().split('\0').slice(0, -1)
}

test('the copied API call has the filter, with special characters quoted', () => {
  const filter = new URLSearchParams({ state: "NG-KD,it's $(odd) & more", since: '30d' })
  const [url, , header] = argumentsOf(listCommand('https://example.org', filter))
  assert.deepEqual(new URL(url!).searchParams, filter)
  assert.equal(header, 'Authorization: Bearer <key>')
})

test('a watch takes the filter without its time and box', () => {
  const filter = new URLSearchParams({ state: 'NG-KD,NG-LA', min_confidence: '0.7', since: '30d', bbox: '1,2,3,4' })
  const body = JSON.parse(argumentsOf(watchCommand('https://example.org', filter, "Ada's"))[6]!)
  assert.deepEqual(body, {
    name: "Ada's",
    url: 'https://example.org/hooks/incidents',
    filter: { state: ['NG-KD', 'NG-LA'], min_confidence: 0.7 },
  })
})
