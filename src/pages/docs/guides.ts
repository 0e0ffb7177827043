import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SAMPLE_LANGUAGE_NAMES, type SampleLanguage } from '../../lib/code-samples.ts'
import { type Html, html } from '../html.ts'
import type { DocsContext, DocsPage } from './docs-page.ts'
import { errorTable } from './errors.ts'
import { limitTable } from './limits.ts'
import { plainText } from './markdown/inline.ts'
import { type CodeBlock, renderMarkdown } from './markdown/render.ts'
import { requestSample, sampleGroup } from './samples/sample-group.ts'
import { writtenRequest } from './samples/written-request.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The guides by their names, in the order of the navigation. */
const GROUPS = {
  Start: ['start', 'paging', 'filters', 'areas', 'sites', 'words-and-fields', 'formats'],
  'Receive incidents': ['webhooks', 'channels', 'streaming', 'feeds', 'archive'],
  'Count and draw': ['tiles-and-stats', 'trends'],
  Tools: ['sdk', 'cli', 'assistants'],
  'Rely on it': ['errors', 'limits', 'versioning'],
} as const

/** What the fences of Markdown call the languages of the samples. */
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

export function guidePages(): readonly DocsPage[] {
  const guides = Object.entries(GROUPS).flatMap(([group, names]) =>
    names.map((name) => markdownPage(`/docs/${name}`, group, `docs/guides/${name}.md`)),
  )
  return [...guides, markdownPage('/docs/changelog', 'Rely on it', 'CHANGELOG.md')]
}

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
