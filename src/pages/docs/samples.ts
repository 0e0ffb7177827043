import type { Endpoint } from '../../api/contract/endpoint.ts'
import { ENDPOINTS, SCHEMAS } from '../../api/contract/reference.ts'
import type { Parameter } from '../../filter/parameters.ts'
import {
  type Json,
  SAMPLE_LANGUAGE_NAMES,
  SAMPLE_LANGUAGES,
  type SampleLanguage,
  type SampleMethod,
  type SampleRequest,
  variablesOf,
  writeSample,
} from '../../lib/code-samples.ts'
import { type Html, html } from '../html.ts'

type SampleTexts = Readonly<Partial<Record<SampleLanguage, string>>>

/** The request in every language, one of them visible; a script adds "Run it" to reads. */
export function requestSample(request: SampleRequest, anchor: string, publicUrl: string): Html {
  const texts = Object.fromEntries(SAMPLE_LANGUAGE_NAMES.map((language) => [language, writeSample(language, request)]))
  const { method, answer, url } = request
  const path = method === 'GET' && answer !== 'lines' ? url.slice(publicUrl.length) : null
  const toSet = variablesOf(request).filter((name) => name !== 'KEY')
  const note =
    toSet.length === 0
      ? null
      : html`<p class="quiet">Set ${toSet.map((name, index) => html`${index > 0 ? ', ' : null}<code>${name}</code>`)} in the environment first.</p>`
  return html`${note}${sampleGroup(texts, anchor, path)}`
}

/**
 * Samples in several languages. The style shows the one that `data-code` of the page names; the
 * links choose another without a script, which remembers the choice.
 */
export function sampleGroup(texts: SampleTexts, anchor: string, runPath: string | null = null): Html {
  const languages = SAMPLE_LANGUAGE_NAMES.filter((name) => texts[name] !== undefined)
  const choices = languages.map(
    (name) => html`<a href="?code=${name}#${anchor}" data-code="${name}">${SAMPLE_LANGUAGES[name]}</a>`,
  )
  const run = runPath === null ? null : html` data-run="${runPath}"`
  return html`<div class="sample" id="${anchor}"${run}><div class="sample-bar" role="group" aria-label="Language of the code">${choices}</div>${languages.map(
    (name) => html`<pre class="code ${name}" tabindex="0"><code>${texts[name]!}</code></pre>`,
  )}</div>`
}

/** Answers in these formats are not JSON. */
const TEXT_FORMATS = /format=(csv|ndjson)|^text\/csv|ndjson/

/**
 * Reads a request as the guides write it: a line `GET /v1/incidents?state=Kaduna`, headers if any,
 * and a JSON body after an empty line. The contract says whether it needs a key.
 */
export function writtenRequest(text: string, publicUrl: string): SampleRequest {
  const [head = '', ...content] = text.split('\n\n')
  const [first = '', ...headerLines] = head.split('\n')
  const [method, target] = first.split(' ') as [SampleMethod, string | undefined]
  const declared = target === undefined ? undefined : endpointFor(method, target.split('?', 1)[0]!)
  if (target === undefined || declared === undefined) throw new Error(`No endpoint answers "${first}".`)
  const written = Object.fromEntries(headerLines.map((line) => line.split(/: (.*)/, 2) as [string, string]))
  const body = content.length > 0 ? (JSON.parse(content.join('\n\n')) as Json) : undefined
  const isText = TEXT_FORMATS.test(target) || TEXT_FORMATS.test(written.Accept ?? '')
  return {
    method,
    url: publicUrl + target,
    headers: {
      ...(declared.scope === null || target.includes('key=') ? {} : { Authorization: 'Bearer $KEY' }),
      ...written,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    answer: isText ? 'text' : answerOf(declared),
  }
}

/** The longest path that fits: `/v1/incidents/{id}.cap` before `/v1/incidents/{id}`. */
function endpointFor(method: string, path: string): Endpoint | undefined {
  return ENDPOINTS.filter((declared) => {
    const shape = declared.path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')
    return declared.method === method && new RegExp(`^${shape}$`).test(path)
  }).toSorted((one, other) => other.path.length - one.path.length)[0]
}

/** Nouns of the ids that stand in the examples of bodies, by their prefix. */
const NOUNS: Readonly<Record<string, string>> = {
  acc: 'ACCOUNT',
  are: 'AREA',
  inc: 'INCIDENT',
  key: 'KEY',
  msg: 'DELIVERY',
  sit: 'SITE',
  stp: 'STEP',
  wat: 'WATCH',
}
const EXAMPLE_ID = /^([a-z]{3})_[0-9a-z]{6,}…?$/
const EXAMPLE_KEY = /^inf_live_/

/**
 * The request of an endpoint's printed sample: required parameters and the body as the contract
 * gives them, ids as variables. Null if the contract says that none can be written by hand.
 */
export function endpointRequest(declared: Endpoint, publicUrl: string): SampleRequest | null {
  const { method, path, query = {}, sample = {}, body, scope, problems = [] } = declared
  if (sample === null) return null
  const filledPath = fillPath(path, sample)
  const parameters = Object.entries<Parameter>(query).flatMap(([name, { required, example }]) => {
    const value = sample[name] ?? (required ? example : undefined)
    return value === undefined ? [] : [`${name}=${encode(value)}`]
  })
  const example = exampleOf(body)
  const headers = {
    ...(scope === null ? {} : { Authorization: 'Bearer $KEY' }),
    // Refused without it, lest a change of others be lost.
    ...(problems.includes('version_required') ? { 'If-Match': '"$VERSION"' } : {}),
    ...(example === undefined ? {} : { 'Content-Type': 'application/json' }),
  }
  return {
    method,
    url: publicUrl + filledPath + (parameters.length > 0 ? `?${parameters.join('&')}` : ''),
    headers,
    ...(example === undefined ? {} : { body: withVariables(example, new Set(variablesIn(filledPath))) }),
    answer: answerOf(declared),
  }
}

/** The example of a body, or of the object that it refers to. */
function exampleOf(body: object | undefined): Json | undefined {
  const { example, $ref } = (body ?? {}) as { example?: Json; $ref?: string }
  return example ?? ($ref === undefined ? undefined : exampleOf((SCHEMAS as Record<string, object>)[$ref]))
}

function answerOf({ response }: Pick<Endpoint, 'response'>): SampleRequest['answer'] {
  const { schema, contentType = 'application/json' } = response
  if (schema === null) return 'text'
  if (contentType === 'text/event-stream') return 'lines'
  if (/[/+]json$/.test(contentType)) return 'json'
  return contentType.startsWith('text/') || contentType.includes('xml') || contentType.includes('ndjson')
    ? 'text'
    : 'bytes'
}

/** `/v1/watches/{id}` becomes `/v1/watches/$WATCH_ID`. */
function fillPath(path: string, sample: Readonly<Record<string, string>>): string {
  return path.replaceAll(/([\w-]+)\/\{id\}|\{(\w+)\}/g, (_whole, collection: string | undefined, name: string) => {
    if (collection !== undefined) return `${collection}/$${singular(collection).toUpperCase()}_ID`
    const value = sample[name]
    return value === undefined ? `$${name.toUpperCase()}_ID` : encode(value)
  })
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/ches$/, 'ch').replace(/s$/, '').replaceAll('-', '_')
}

/** Percent-encodes, but for the characters that are allowed in a query and easier to read. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':')
}

function variablesIn(text: string): string[] {
  return text.match(/(?<=\$)[A-Z_]+/g) ?? []
}

/** Replaces ids in the example of a body; a second id of the same kind is the other one. */
function withVariables(value: Json, used: Set<string>): Json {
  if (typeof value === 'string') return EXAMPLE_KEY.test(value) ? '$KEY' : variableFor(value, used)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: Json) => withVariables(each, used))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withVariables(each, used)]))
}

function variableFor(value: string, used: Set<string>): string {
  const noun = NOUNS[EXAMPLE_ID.exec(value)?.[1] ?? '']
  if (noun === undefined) return value
  const name = used.has(`${noun}_ID`) ? `OTHER_${noun}_ID` : `${noun}_ID`
  used.add(name)
  return `$${name}`
}
