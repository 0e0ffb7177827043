import type { SampleLanguage } from '../../../src/lib/code-samples.ts'

/** One sample as a page shows it, in each language that it has. */
export interface RenderedSample {
  /** The anchor of the sample: `listIncidents-sample` in the reference, `sample-3` in a guide. */
  readonly anchor: string
  readonly texts: Readonly<Partial<Record<SampleLanguage, string>>>
}

const GROUP =
  /<div class="sample" id="([^"]+)"[^>]*>.*?<\/div>((?:<pre class="code \w+" tabindex="0"><code>[^<]*<\/code><\/pre>)+)/gs
const CODE = /<pre class="code (\w+)" tabindex="0"><code>([^<]*)<\/code>/g
const PLAIN = /<pre class="plain (\w*)" tabindex="0"><code>([^<]*)<\/code>/g

export function samplesOn(page: string): readonly RenderedSample[] {
  return [...page.matchAll(GROUP)].map(([, anchor, codes]) => ({
    anchor: anchor!,
    texts: Object.fromEntries([...codes!.matchAll(CODE)].map(([, language, text]) => [language!, unescapeHtml(text!)])),
  }))
}

/** Blocks of code in one language only, with what the fence calls it. */
export function plainBlocksOn(page: string): readonly { readonly language: string; readonly text: string }[] {
  return [...page.matchAll(PLAIN)].map(([, language, text]) => ({ language: language!, text: unescapeHtml(text!) }))
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
