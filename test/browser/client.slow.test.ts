import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bundleForBrowser } from '../client/support/bundle.ts'
import { startTestApp } from '../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../support/browser.ts'
import { anIncident, incidentId } from '../support/incident.ts'
import { receive } from '../support/receivers.ts'

const SCRIPT = `
import { IncidentFeed, ProblemError, signTestMessage, unwrap, WebhookError } from 'client'
window.run = async (key, baseUrl, secret) => {
  const feed = new IncidentFeed({ key, baseUrl })
  const listed = []
  for await (const { id } of feed.incidents.list({ state: ['Kaduna'], limit: 2 })) listed.push(id)
  const problem = await feed.incidents.page({ state: 'Kadunna' }).catch((error) => error)
  const stream = feed.stream({}, { after: 2 })
  const streamed = (await stream.next()).value.incident_id
  await stream.return()
  const { headers, body } = await signTestMessage({ event: 'incident.updated' }, secret)
  const { event } = await unwrap(new Request(baseUrl, { method: 'POST', headers, body }), secret)
  const forged = await unwrap({ headers, body: body + ' ' }, secret).catch((error) => error)
  return {
    listed, streamed, event,
    problem: [problem instanceof ProblemError, problem.status, problem.suggestions],
    forged: [forged instanceof WebhookError, forged.reason],
  }
}
`

test('the client works in a page of another origin, with a publishable key', {
  skip: skipBrowser(),
}, async () => {
  const script = await bundleForBrowser(SCRIPT)
  await using app = await startTestApp()
  await app.publish([1, 2, 3].map((number) => anIncident(number)))
  const { text: key } = await app.issue({ kind: 'publishable' })
  await using page = await receive((request, response) => {
    if (request.url === '/main.js') response.setHeader('content-type', 'text/javascript').end(script)
    else response.setHeader('content-type', 'text/html').end('<script type="module" src="/main.js"></script>')
  })
  const browser = await sharedBrowser()
  try {
    const tab = await browser.newPage()
    await tab.goto(`http://localhost:${page.port}/`)
    await tab.waitForFunction('window.run !== undefined')
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const call = `window.run(${[key, app.url, secret].map((text) => JSON.stringify(text)).join()})`
    assert.deepEqual(await tab.evaluate(call), {
      listed: [3, 2, 1].map(incidentId),
      streamed: incidentId(3),
      event: 'incident.updated',
      problem: [true, 400, ['Kaduna']],
      forged: [true, 'wrong_signature'],
    })
  } finally {
    await releaseBrowser()
  }
})

describe('weight', () => {
  const MAX_BYTES = 12_000

  test(`the whole client weighs less than ${MAX_BYTES} bytes in a browser`, async (context) => {
    const code = await bundleForBrowser("export * from 'client'")
    const { length } = gzipSync(code, { level: 9 })
    context.diagnostic(`${length} bytes compressed, ${code.length} before`)
    assert.match(code, /IncidentFeed/)
    assert.match(code, /unwrap/)
    assert.ok(length < MAX_BYTES, `${length} bytes`)
  })

  test('whoever only verifies webhooks gets nothing else', async () => {
    const code = await bundleForBrowser("export { unwrap } from 'client'")
    assert.doesNotMatch(code, /v1\/incidents/)
  })
})
