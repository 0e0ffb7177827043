import { type Html, html } from '../html.ts'
import type { DocsPage } from './docs-page.ts'
import type { Heading } from './markdown/render.ts'

export interface FrameContent {
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
