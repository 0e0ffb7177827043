import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERRORS } from '../../domain/error-codes.ts'
import { MAX_SITES } from '../../domain/sites.ts'
import { MAX_LIMIT } from '../../filter/listing.ts'
import { MAX_LIST_VALUES } from '../../filter/parameters.ts'
import { BUFFER_KM, MAX_POINTS, MAX_POSITIONS } from '../../filter/parse-shapes.ts'
import { SAMPLE_LANGUAGE_NAMES, type SampleLanguage } from '../../lib/code-samples.ts'
import { lazy } from '../../lib/memoize.ts'
import { type Html, html, withCode } from '../html.ts'
import type { DocsContext, DocsPage } from './docs-page.ts'
import { type CodeBlock, plainText, renderMarkdown } from './markdown.ts'
import { requestSample, sampleGroup, writtenRequest } from './samples.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The guides by their names, in the order of the navigation. */
const GROUPS = {
  Start: ['start', 'paging', 'filters', 'areas', 'sites', 'words-and-fields', 'formats'],
  'Receive incidents': ['webhooks', 'channels', 'streaming', 'feeds', 'archive'],
  'Count and draw': ['tiles-and-stats', 'trends'],
  Tools: ['sdk', 'cli', 'assistants'],
  'Rely on it': ['errors', 'limits', 'versioning'],
} as const

/** The languages of the samples by their names in Markdown's fences. */
const FENCES: Readonly<Record<string, SampleLanguage>> = {
  sh: 'curl',
  js: 'javascript',
  python: 'python',
  php: 'php',
  go: 'go',
}

/** The address that the files are written with. */
const WRITTEN_URL = 'http://localhost:8080'

const SLOTS: Readonly<Record<string, (context: DocsContext) => Html>> = { errors: errorTable, limits: limitTable }

/** Read once for all servers of a process: a simulation and tests start many. */
export const guidePages = lazy((): readonly DocsPage[] => {
  const guides = Object.entries(GROUPS).flatMap(([group, names]) =>
    names.map((name) => markdownPage(`/docs/${name}`, group, `docs/guides/${name}.md`)),
  )
  return [...guides, markdownPage('/docs/changelog', 'Rely on it', 'CHANGELOG.md')]
})

function markdownPage(path: string, group: string, file: string): DocsPage {
  const markdown = readFileSync(join(ROOT, file), 'utf8')
  const [title = '', first = ''] = markdown.replace(/^# /, '').split('\n\n', 2)
  return {
    path,
    group,
    title,
    description: plainText(first.replaceAll('\n', ' ')).split(/(?<=\.) /, 1)[0]!,
    write: (context) => renderGuide(markdown.replaceAll(WRITTEN_URL, context.publicUrl), context),
  }
}

function renderGuide(markdown: string, context: DocsContext) {
  let samples = 0
  const nextAnchor = () => `sample-${++samples}`
  return renderMarkdown(markdown, {
    resolveLink,
    slot: (name) => SLOTS[name]!(context),
    code: (blocks) => renderCode(blocks, context.publicUrl, nextAnchor),
  })
}

const NAMES: readonly string[] = Object.values(GROUPS).flat()

/**
 * `webhooks.md` is served as `/docs/webhooks`; the pages of operators and editors are not served.
 */
function resolveLink(address: string): string | null {
  if (/^(https?:|\/|#)/.test(address)) return address
  const [, name = '', anchor = ''] = /^(?:docs\/guides\/)?([\w-]+)\.md(#.*)?$/.exec(address) ?? []
  return NAMES.includes(name) ? `/docs/${name}${anchor}` : null
}

/** Neighbouring blocks in several languages are one sample; a request is written in all of them. */
function renderCode(blocks: readonly CodeBlock[], publicUrl: string, nextAnchor: () => string): Html {
  const languages = blocks.map(({ language }) => FENCES[language])
  if (blocks.length > 1 && languages.every((language) => language !== undefined)) {
    const texts = Object.fromEntries(blocks.map(({ text }, index) => [languages[index]!, text]))
    return sampleGroup(inOrder(texts), nextAnchor())
  }
  return html`${blocks.map(({ language, text }) => {
    if (language === 'http') return requestSample(writtenRequest(text, publicUrl), nextAnchor(), publicUrl)
    return html`<pre class="plain ${language}" tabindex="0"><code>${text}</code></pre>`
  })}`
}

function inOrder(texts: Readonly<Partial<Record<SampleLanguage, string>>>) {
  return Object.fromEntries(SAMPLE_LANGUAGE_NAMES.flatMap((name) => (texts[name] ? [[name, texts[name]]] : [])))
}

/** Every error of the API by its status, with what to do about it. */
function errorTable(): Html {
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status)
  return html`${[...byStatus].map(
    ([status, errors]) =>
      html`<h3 id="status-${status}">${status}</h3><dl class="errors">${errors.map(
        ([code, { title, meaning }]) =>
          html`<div id="error-${code}"><dt><code>${code}</code> ${title}</dt><dd>${withCode(meaning)}</dd></div>`,
      )}</dl>`,
  )}`
}

/** The limits that are in force on this service: those of its settings, and the fixed ones. */
function limitTable({ config }: DocsContext): Html {
  const rows: readonly (readonly [string, number | string])[] = [
    ['Requests per minute and account, over all its keys', config.RATE_LIMIT],
    ['Requests per minute with a publishable key, for each client address', config.RATE_LIMIT_PUBLISHABLE],
    ['Requests per minute with all publishable keys of an account', config.RATE_LIMIT_PUBLISHABLE_TOTAL],
    ['Requests per minute without a key, for each client address', config.RATE_LIMIT_ADDRESS],
    ['Valid keys per account', config.KEYS_PER_ACCOUNT],
    ['Watches per account', config.WATCHES_PER_ACCOUNT],
    ['Lists of sites per account', config.SITE_LISTS_PER_ACCOUNT],
    ['Sites of a list', MAX_SITES],
    ['Test messages per minute and account', config.WATCH_TESTS_PER_MINUTE],
    ['Previews of filters per minute and account', config.PREVIEWS_PER_MINUTE],
    ['Uploads of sites per minute and account', config.SITE_UPLOADS_PER_MINUTE],
    ['Open streams per account, on each node', config.STREAMS_PER_ACCOUNT],
    ['New keys per hour for each client address', config.SIGNUPS_PER_HOUR],
    ['Incidents per page', MAX_LIMIT],
    ['Values of one list in a filter', MAX_LIST_VALUES],
    ['Positions of a polygon', MAX_POSITIONS],
    ['Points of a route', MAX_POINTS],
    ['Distance to either side of a route', `${BUFFER_KM.least} to ${BUFFER_KM.most} km`],
    ['Size of a request body', '256 KiB; 4 MiB for sites'],
  ]
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Limit</th><th scope="col">Value</th></tr></thead><tbody>${rows.map(
    ([name, value]) =>
      html`<tr><td>${name}</td><td>${typeof value === 'number' ? value.toLocaleString('en') : value}</td></tr>`,
  )}</tbody></table></div>`
}
