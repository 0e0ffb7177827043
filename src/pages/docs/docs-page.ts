import type { Config } from '../../config/settings.ts'
import { SAMPLE_LANGUAGE_NAMES } from '../../lib/code-samples.ts'
import { type Html, html } from '../html.ts'
import type { Heading } from './markdown.ts'

export interface DocsContext {
  readonly publicUrl: string
  readonly config: Config
}

export interface WrittenPage {
  readonly body: Html
  readonly headings: readonly Heading[]
  /** The words of the page, for the search. */
  readonly text: string
}

/** One page under `/docs`. */
export interface DocsPage {
  readonly path: string
  readonly title: string
  /** The heading above it in the navigation; null if it is not listed there. */
  readonly group: string | null
  readonly description: string
  write(context: DocsContext): WrittenPage
}

interface FrameContent {
  readonly body: Html
  readonly headings: readonly Heading[]
}

/**
 * The navigation beside a page. On a phone it is a popover, which opens without a script. The
 * search and the switch of the theme are there only where the script runs.
 */
export function frame(page: DocsPage, pages: readonly DocsPage[], { body, headings }: FrameContent): Html {
  return html`<div class="docs"><div class="docs-bar"><button class="contents" type="button" popovertarget="docs-nav">Contents</button>${SEARCH}</div>
<nav id="docs-nav" popover aria-label="Contents">${navigation(page, pages, headings)}</nav>
<article>${body}</article></div>`
}

const SEARCH = html`<div class="search" role="search"><input type="search" role="combobox" aria-label="Search guides and endpoints" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list" placeholder="Search ( / )" autocomplete="off" spellcheck="false"><ul id="search-results" role="listbox" aria-label="Results" hidden></ul></div><button class="theme" type="button" aria-label="Light or dark" title="Light or dark">◐</button>`

function navigation(page: DocsPage, pages: readonly DocsPage[], headings: readonly Heading[]): Html {
  const byGroup = Map.groupBy(
    pages.filter(({ group }) => group !== null),
    ({ group }) => group!,
  )
  return html`<p><a href="/docs"${page.path === '/docs' ? CURRENT : null}>Overview</a></p>${[...byGroup].map(
    ([group, members]) =>
      html`<p class="group">${group}</p><ul>${members.map((member) => entry(member, page, headings))}</ul>`,
  )}<p class="group">More</p><ul><li><a href="/console">Console: keys, watches, deliveries</a></li><li><a href="/openapi.json">OpenAPI document</a></li></ul>`
}

const CURRENT = html` aria-current="page"`

function entry(member: DocsPage, page: DocsPage, headings: readonly Heading[]): Html {
  if (member.path !== page.path) return html`<li><a href="${member.path}">${member.title}</a></li>`
  const sections = headings.filter(({ level }) => level === 2)
  return html`<li><a href="${member.path}"${CURRENT}>${member.title}</a>${sections.length === 0 ? null : html`<ul>${sections.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`}</li>`
}

/**
 * Runs before the first paint, so that the page neither flashes in the other theme nor jumps to
 * another language of the samples. An address with `code=` takes precedence over the stored choice.
 */
export const HEAD_SCRIPT = `{const d=document.documentElement.dataset;d.script='';try{const t=localStorage.getItem('theme');if(t)d.theme=t;const c=localStorage.getItem('code');if(!location.search.includes('code=')&&${JSON.stringify(SAMPLE_LANGUAGE_NAMES)}.includes(c))d.code=c}catch{}}`

const chosen = SAMPLE_LANGUAGE_NAMES.map((name) => `[data-code=${name}] .code.${name}`).join()
const chosenTab = SAMPLE_LANGUAGE_NAMES.map((name) => `[data-code=${name}] .sample-bar [data-code=${name}]`).join()
/** A sample that lacks the chosen language shows its first. */
const lacking = SAMPLE_LANGUAGE_NAMES.map(
  (name) => `[data-code=${name}] .sample:not(:has(.${name})) .code:first-of-type`,
).join()

/** Added to the style of every page; what needs a script takes no room without it. */
export const DOCS_STYLE = `
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
html{scroll-padding-top:120px}
main{max-width:1120px}
article{min-width:0}
article h2{scroll-margin-top:8px}
article ul,article ol{margin:0 0 12px;padding-left:20px;max-width:68ch}
article li{margin:4px 0}
.docs{display:grid;grid-template-columns:minmax(0,1fr);gap:0 40px}
.docs-bar{position:sticky;top:48px;z-index:1;display:flex;gap:8px;align-items:center;padding:8px 0;background:var(--paper)}
.docs-bar button{min-height:44px;padding:0 14px;border:1px solid var(--line);background:var(--panel);color:var(--ink);font-weight:400}
.search,.theme{display:none}
[data-script] .search{display:block;position:relative;flex:1;min-width:0}
[data-script] .theme{display:block;white-space:nowrap}
.search input{width:100%;min-height:44px;padding:0 12px;font:inherit;color:inherit;background:var(--panel);border:1px solid var(--border);border-radius:8px}
.search input:focus-visible,pre:focus-visible,.scroll:focus-visible,.run-form input:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
#search-results{position:absolute;top:100%;left:0;right:0;margin:4px 0 0;padding:4px;list-style:none;background:var(--panel);border:1px solid var(--line);border-radius:8px;box-shadow:0 8px 24px rgb(0 0 0/.18);max-height:60vh;overflow:auto}
#search-results li{padding:8px 10px;border-radius:6px;cursor:pointer}
#search-results li[aria-selected=true]{background:color-mix(in srgb,var(--accent) 18%,transparent)}
#search-results span{display:block;color:var(--quiet);font-size:13px;overflow-wrap:anywhere}
#docs-nav{font-size:14px}
#docs-nav ul{list-style:none;margin:0;padding:0}
#docs-nav ul ul{margin:2px 0 6px;padding-left:12px;border-left:1px solid var(--line);font-size:13px}
#docs-nav p{margin:0}
#docs-nav a{display:block;padding:4px 0;color:var(--quiet);text-decoration:none}
#docs-nav a:hover{color:var(--ink)}
#docs-nav a[aria-current]{color:var(--ink);font-weight:600}
#docs-nav .group{margin:16px 0 2px;font-size:12px;font-weight:600;color:var(--quiet)}
#docs-nav:popover-open{inset:0 auto 0 0;width:min(320px,85vw);height:100%;max-height:none;margin:0;padding:16px;overflow:auto;background:var(--panel);color:inherit;border:0;border-right:1px solid var(--line)}
#docs-nav:popover-open a{padding:10px 0}
#docs-nav::backdrop{background:rgb(0 0 0/.4)}
.anchor{color:var(--quiet);font-weight:400;text-decoration:none;opacity:0}
:is(h2,h3):hover .anchor,.anchor:focus-visible{opacity:1}
section.endpoint h2{margin:0 0 8px;font-size:17px}
section.endpoint h3{margin:12px 0 0}
.sample{margin:8px 0 16px;border:1px solid var(--line);border-radius:8px;background:var(--panel);overflow:hidden}
.sample-bar{display:flex;flex-wrap:wrap;min-height:44px;padding:0 4px;border-bottom:1px solid var(--line)}
.sample-bar a,.sample-bar button{display:flex;align-items:center;min-height:44px;padding:0 10px;font-size:13px;font-weight:400;color:var(--quiet);text-decoration:none;background:none;border-radius:0}
.sample-bar button{color:var(--accent);font-weight:600}
.sample-bar button:first-of-type{margin-left:auto}
${chosenTab}{color:var(--ink);font-weight:600;box-shadow:inset 0 -2px var(--accent)}
.code{display:none;margin:0;border:0;border-radius:0;tab-size:4}
${chosen},${lacking}{display:block}
.run-form{display:flex;flex-wrap:wrap;gap:8px;align-items:end;padding:12px;border-top:1px solid var(--line)}
.run-form label{flex:1 1 220px;font-size:13px;color:var(--quiet)}
.run-form input{display:block;width:100%;min-height:44px;padding:0 10px;font:13px ui-monospace,monospace;color:var(--ink);background:var(--paper);border:1px solid var(--border);border-radius:8px}
.run-form p{flex-basis:100%;margin:0}
.run-answer{border-top:1px solid var(--line)}
.run-answer p{margin:0;padding:8px 12px;font-size:13px}
.run-answer pre{margin:0;border:0;border-radius:0;max-height:420px}
.errors{margin:0}
.errors div{padding:8px 0;border-top:1px solid var(--line)}
.errors dt{font-weight:600}
.errors dd{margin:2px 0 0;max-width:68ch}
:target{background:color-mix(in srgb,var(--accent) 10%,var(--paper))}
article .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(230px,1fr));gap:12px;padding:0;list-style:none;max-width:none}
.cards li{margin:0;padding:12px 14px;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.cards a{display:block;font-weight:600}
.cards span{color:var(--quiet);font-size:13px}
article .endpoints{padding:0;list-style:none;max-width:none}
article .endpoints li{padding:2px 0;overflow-wrap:anywhere}
.codes{font-size:13px;line-height:1.9;max-width:none}
@media(max-width:899px){article>h1:first-child{margin-top:12px}}
@media(min-width:900px){html{scroll-padding-top:64px}.docs{grid-template-columns:220px minmax(0,1fr)}.docs-bar{grid-column:1;grid-row:1}.contents{display:none}
#search-results{right:auto;width:420px}
#docs-nav{display:block;position:sticky;top:112px;align-self:start;grid-column:1;grid-row:2;max-height:calc(100vh - 112px);width:auto;height:auto;margin:0;padding:0;overflow:auto;background:none;color:inherit;border:0}
article{grid-column:2;grid-row:1/span 3}}
@media print{.docs-bar,#docs-nav,.sample-bar{display:none}}
`
