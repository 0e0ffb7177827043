import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Compile } from 'typebox/compile'
import { ENDPOINTS, SCHEMAS } from '../../src/api/contract/reference.ts'
import { SAMPLE_LANGUAGE_NAMES, type SampleLanguage } from '../../src/lib/code-samples.ts'
import {
  missing,
  type RenderedSample,
  runSample,
  runUntil,
  type SampleService,
  samplesOn,
  startSampleService,
} from './samples.ts'

/** One of each kind of request: a language writes every other as one of these. */
const KINDS = ['listIncidents', 'readTile', 'readStream', 'createWatch', 'changeDesk', 'mergeIncident', 'deleteWatch']

/**
 * All for curl, whose answers are checked whole. Each other sample is a program to start, in Go one
 * to build.
 */
function endpointsFor(language: SampleLanguage) {
  const all = language === 'curl' || (language !== 'go' && process.env.TEST_TIER === 'all')
  return ENDPOINTS.filter(({ sample, id }) => sample !== null && (all || KINDS.includes(id)))
}

let service: SampleService
const samples = new Map<string, RenderedSample>()
before(async () => {
  service = await startSampleService()
  const tags = new Set(ENDPOINTS.map(({ tag }) => tag.toLowerCase()))
  for (const tag of tags) {
    const page = await (await fetch(`${service.app.url}/docs/reference/${tag}`)).text()
    for (const sample of samplesOn(page)) samples.set(sample.anchor, sample)
  }
})
after(() => service[Symbol.asyncDispose]())

for (const language of SAMPLE_LANGUAGE_NAMES) {
  describe(`the samples of the reference in ${language}`, { skip: missing(language) }, () => {
    for (const declared of endpointsFor(language)) {
      it(`${declared.method} ${declared.path} runs as printed`, async () => {
        const text = samples.get(`${declared.id}-sample`)?.texts[language]
        assert(text !== undefined, 'the page has no sample')
        const names = [...new Set(text.match(/\b[A-Z]+(?:_[A-Z]+)*(?:_ID|KEY|VERSION)\b/g) ?? [])]
        const variables = await service.variablesFor(declared.id, names)
        const {
          status,
          schema,
          contentType = 'application/json',
        } = { ...declared.response, contentType: declared.response.contentType ?? 'application/json' }
        if (contentType === 'text/event-stream') {
          assert.match(await runUntil(language, text, variables, /^id: /m), /^retry: \d+$/m)
          return
        }
        const shown = await runSample(language, text, variables)
        assert.equal(shown.status, status, shown.output)
        if (schema === null || !/[/+]json$/.test(contentType)) return
        if (language !== 'curl') return assert.match(shown.output, firstMember(schema))
        const validator = Compile(SCHEMAS as Parameters<typeof Compile>[0], schema)
        const body: unknown = JSON.parse(shown.output)
        assert.deepEqual(validator.Check(body) ? [] : [...validator.Errors(body)], [])
      })
    }
  })
}

/** The name of a member that every answer of this schema has. */
function firstMember(schema: object): RegExp {
  const { $ref, required, properties } = schema as { $ref?: string; required?: string[]; properties?: object }
  if ($ref !== undefined) return firstMember((SCHEMAS as Record<string, object>)[$ref]!)
  return new RegExp(`\\b${required?.[0] ?? Object.keys(properties ?? {})[0] ?? ''}\\b`)
}
