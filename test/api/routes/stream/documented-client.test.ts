import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { startTestApp, until } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'
import type { StreamedChange } from '../../../support/readers.ts'

type Follow = (url: string, key: string, onChange: (change: StreamedChange) => void, last?: string) => Promise<never>

/** Reads the function for browsers from docs/guides/streaming.md. */
async function readDocumentedFunction(): Promise<Follow> {
  const page = await readFile(new URL('../../../../docs/guides/streaming.md', import.meta.url), 'utf8')
  const code = /```js\n(async function follow[\s\S]*?\n\})\n/.exec(page)![1]!
  return new Function(`return ${code}`)() as Follow
}

test('the documented browser function follows the stream, and resumes at its position after the service ends it', async () => {
  const follow = await readDocumentedFunction()
  await using app = await startTestApp({}, { streams: { maxDurationMs: 200, heartbeatIntervalMs: 60 } })
  const { text: key } = await app.issue({ kind: 'publishable' })
  await app.publish([anIncident(1)])
  const seqs: number[] = []
  const followed = follow(
    `${app.url}/v1/stream?state=Kaduna`,
    key,
    ({ seq }) => {
      seqs.push(seq)
      if (seq === 4) throw new Error('enough')
    },
    '0',
  )
  const enough = assert.rejects(followed, /enough/)
  await until(() => seqs.length === 1)
  await until(async () => /^incident_feed_streams_open 0$/m.test(await (await fetch(`${app.url}/metrics`)).text()))
  for (const number of [2, 3, 4]) await app.publish([anIncident(number)])
  await enough
  assert.deepEqual(seqs, [1, 2, 3, 4])
})

test('the documented browser function reports the error of an invalid query', async () => {
  const follow = await readDocumentedFunction()
  await using app = await startTestApp()
  const { text: key } = await app.issue({ kind: 'publishable' })
  await assert.rejects(
    follow(`${app.url}/v1/stream?since=24h`, key, () => {}),
    /since is not allowed here/,
  )
})
