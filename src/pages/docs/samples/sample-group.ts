import {
  SAMPLE_LANGUAGE_NAMES,
  SAMPLE_LANGUAGES,
  type SampleLanguage,
  type SampleRequest,
  variablesOf,
  writeSample,
} from '../../../lib/code-samples.ts'
import { type Html, html } from '../../html.ts'

export type SampleTexts = Readonly<Partial<Record<SampleLanguage, string>>>

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
