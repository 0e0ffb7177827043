import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { SAMPLE_LANGUAGE_NAMES, type SampleLanguage } from '../../src/lib/code-samples.ts'
import { until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { freePort, type Message } from '../support/receivers.ts'
import {
  missing,
  type PreparedSample,
  plainBlocksOn,
  prepareSample,
  type RenderedSample,
  recently,
  runSample,
  runUntil,
  type SampleService,
  samplesOn,
  startSampleService,
} from './samples.ts'

/** All but `cli` and `assistants`, which show commands of other programs. */
const GUIDES = [
  ...[
    '/docs',
    '/docs/start',
    '/docs/paging',
    '/docs/filters',
    '/docs/areas',
    '/docs/sites',
    '/docs/words-and-fields',
    '/docs/formats',
  ],
  ...['/docs/webhooks', '/docs/streaming'],
  ...[
    '/docs/feeds',
    '/docs/archive',
    '/docs/tiles-and-stats',
    '/docs/trends',
    '/docs/errors',
    '/docs/limits',
    '/docs/versioning',
  ],
  ...['/docs/cli', '/docs/assistants'],
]
/** Receivers wait for messages: `receivers.slow.test.ts` sends them some. */
const isReceiver = (text: string) => text.includes('SECRET')
const PAGES_OF_100 = 250

let service: SampleService
before(async () => {
  service = await startSampleService()
  const many = Array.from({ length: PAGES_OF_100 }, (_, index) => anIncident(100 + index, recently()))
  await service.app.publish(many)
})
after(() => service[Symbol.asyncDispose]())

for (const language of SAMPLE_LANGUAGE_NAMES) {
  describe(`the samples of the guides in ${language}`, { skip: missing(language) }, () => {
    for (const path of GUIDES) {
      it(`run as printed on ${path}`, async () => {
        const page = await (await fetch(service.app.url + path)).text()
        for (const sample of samplesOn(page)) await runOne(sample)
      })
    }

    async function runOne({ anchor, texts }: RenderedSample): Promise<void> {
      const text = texts[language]
      assert(text !== undefined, `${anchor} lacks ${language}`)
      if (isReceiver(text)) return
      // A program in Go takes a second to build; the reference runs one of each kind that is
      // generated.
      if (language === 'go' && !text.includes('has_more')) return
      const variables = await service.variablesFor('readIncident', variablesIn(text))
      if (text.includes('/v1/listen')) {
        assert.match(await runUntil(language, text, variables, /^data: \{.*\}$/m), /^event: listening$/m)
        return
      }
      if (text.includes('/v1/stream')) {
        assert.match(await runUntil(language, text, variables, /^id: /m), /^retry: \d+$/m)
        return
      }
      const { status, output } = await runSample(language, text, variables)
      if (text.includes('has_more') || text.includes('next=')) return assertAllPages(output, language)
      assert.ok(status >= 200 && status < 300, `${anchor}: ${status} ${output}`)
      if (!text.includes('-o answer.bin')) assert.match(output, /[\w<]{2}/, `${anchor} shows nothing`)
    }
  })
}

describe('blocks of code in one language', () => {
  it('run, those of the shell, as printed', async (context) => {
    if (missing('curl')) return context.skip(missing('curl') as string)
    let count = 0
    for (const path of GUIDES) {
      const page = await (await fetch(service.app.url + path)).text()
      for (const { language, text } of plainBlocksOn(page)) {
        if (language !== 'sh' || text.startsWith('export ')) continue
        const { status, output } = await runSample('curl', text, await service.variablesFor('', variablesIn(text)))
        assert.equal(status, 200, `${path}: ${output}`)
        count++
      }
    }
    assert.ok(count > 0)
  })
})

/** Each incident of Kaduna is shown exactly once, over three pages. */
function assertAllPages(output: string, language: SampleLanguage): void {
  const shown = output.match(language === 'curl' ? /(?<="id":")inc_\w+/g : /^inc_\w+/gm) ?? []
  assert.equal(shown.length, new Set(shown).size)
  assert.equal(shown.length, PAGES_OF_100 + 2)
}

function variablesIn(text: string): string[] {
  return [...new Set(text.match(/\b(?:(?:[A-Z]+_)+ID|(?:[A-Z]+_)*KEY|VERSION)\b/g) ?? [])]
}

describe('the receivers of the guide on webhooks', () => {
  let texts: Readonly<Partial<Record<SampleLanguage, string>>>
  let key: string

  before(async () => {
    const page = await (await fetch(`${service.app.url}/docs/webhooks`)).text()
    texts = samplesOn(page).find(({ texts }) => texts.curl?.includes('SECRET'))!.texts
    key = (await service.app.issue()).text
  })
  async function watchFor(url: string): Promise<{ id: string; secret: string }> {
    const watch = { name: `Watch of ${url}`, url, filter: {} }
    return (await (await service.app.post('/v1/watches', watch, key)).json()) as { id: string; secret: string }
  }

  /** Has the service sign a message and send it to the endpoint of the watch. */
  async function sendTest(id: string): Promise<{ delivered: boolean; status_code: number }> {
    const response = await service.app.post(`/v1/watches/${id}/test`, '', key)
    return (await response.json()) as { delivered: boolean; status_code: number }
  }

  /** A message as the service has signed it. */
  async function signedMessage(id: string): Promise<Message> {
    await service.app.patch(`/v1/watches/${id}`, { url: service.endpoint.url }, key, null)
    await sendTest(id)
    return service.endpoint.messages.findLast(({ json }) => json.watch_id === id)!
  }

  it('take what the service has signed and refuse what was changed, in the shell', async (context) => {
    if (missing('curl')) return context.skip(missing('curl') as string)
    const { id, secret } = await watchFor(service.endpoint.url)
    const { headers, body } = await signedMessage(id)
    const verify = async (content: string) => {
      // The sample reads body.json in its folder.
      const text = `printf %s "$BODY" > body.json\n${texts.curl}`
      const variables = {
        SECRET: secret,
        BODY: content,
        WEBHOOK_ID: String(headers['webhook-id']),
        WEBHOOK_TIMESTAMP: String(headers['webhook-timestamp']),
        WEBHOOK_SIGNATURE: String(headers['webhook-signature']),
      }
      return runSample('curl', text, variables)
    }
    assert.equal((await verify(body)).output.trim(), 'genuine')
    await assert.rejects(verify(`${body} `), /refused|Command failed/)
  })

  for (const language of SAMPLE_LANGUAGE_NAMES.filter((name) => name !== 'curl')) {
    it(`take what the service has signed and refuse everything else, in ${language}`, async (context) => {
      const reason = missing(language)
      if (reason) return context.skip(reason)
      const port = await freePort()
      const url = `http://127.0.0.1:${port}/hook`
      const { id, secret } = await watchFor(url)
      await using prepared = await prepareSample(language, texts[language]!, { SECRET: secret, PORT: String(port) })
      using _running = startReceiver(language, prepared, port)
      const post = (headers: Record<string, string>, body: string) =>
        fetch(url, { method: 'POST', headers, body }).then(
          ({ status }) => status,
          () => 0,
        )
      await until(async () => (await post({}, '{}')) === 401, `the receiver in ${language}`)
      const sent = await sendTest(id)
      assert.deepEqual([sent.delivered, sent.status_code], [true, 204])

      const { headers, body } = await signedMessage(id)
      const signed = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
      )
      assert.equal(await post(signed, body), 204, 'the message as it was signed')
      assert.equal(await post(signed, body.replace('"test":true', '"test":null')), 401, 'another body')
      assert.equal(await post({ ...signed, 'webhook-id': 'msg_other' }, body), 401, 'another id')
      assert.equal(await post({ ...signed, 'webhook-timestamp': '1700000000' }, body), 401, 'another time')
      assert.equal(await post({ ...signed, 'webhook-signature': 'v1,AAAA' }, body), 401, 'another signature')
    })
  }
})

/** Starts the program as its first line says. */
function startReceiver(language: SampleLanguage, prepared: PreparedSample, port: number): Disposable {
  const { folder, program, options, environment } = prepared
  const command = language === 'php' ? ['-S', `127.0.0.1:${port}`, ...options] : [...options]
  const child = spawn(program, command, { cwd: folder, env: environment, detached: true, stdio: 'ignore' })
  return { [Symbol.dispose]: () => void process.kill(-child.pid!, 'SIGKILL') }
}
