import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { SAMPLE_LANGUAGE_NAMES, type SampleLanguage } from '../../../src/lib/code-samples.ts'
import { anIncident } from '../../support/incident.ts'
import { plainBlocksOn, type RenderedSample, samplesOn } from './rendered-samples.ts'
import { missing, runSample, runUntil } from './run-sample.ts'
import { recently, type SampleService, startSampleService } from './sample-fixtures.ts'

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

for (const language of SAMPLE_LANGUAGE_NAMES) {
  describe(`the samples of the guides in ${language}`, { skip: missing(language), timeout: 600_000 }, () => {
    let service: SampleService
    before(async () => {
      service = await startSampleService()
      const many = Array.from({ length: PAGES_OF_100 }, (_, index) => anIncident(100 + index, recently()))
      await service.app.publish(many)
    })
    after(() => service[Symbol.asyncDispose]())

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

describe('blocks of code in one language', { timeout: 120_000 }, () => {
  it('run, those of the shell, as printed', async (context) => {
    if (missing('curl')) return context.skip(missing('curl') as string)
    await using service = await startSampleService()
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
