import { TAGS, type Tag } from '../../../api/contract/endpoint.ts'
import { ENDPOINTS, SCHEMAS } from '../../../api/contract/reference.ts'
import { html } from '../../html.ts'
import type { DocsPage } from '../docs-page.ts'
import { endpointSection } from './endpoint-section.ts'
import { schemaTable } from './schema-table.ts'

const GROUP = 'Reference'

/** One page for each group of endpoints, and one for the objects that they share. */
export function referencePages(): readonly DocsPage[] {
  return [...(Object.keys(TAGS) as Tag[]).map(tagPage), objectsPage()]
}

export function tagPath(tag: Tag): string {
  return `/docs/reference/${tag.toLowerCase()}`
}

function tagPage(tag: Tag): DocsPage {
  const endpoints = ENDPOINTS.filter((declared) => declared.tag === tag)
  return {
    path: tagPath(tag),
    title: tag,
    group: GROUP,
    description: TAGS[tag],
    write: ({ publicUrl }) => ({
      body: html`<h1>${tag}</h1><p>${TAGS[tag]}</p>${endpoints.map((declared) => endpointSection(declared, publicUrl))}`,
      headings: endpoints.map(({ id, summary }) => ({ id, text: summary, level: 2 })),
      text: '',
    }),
  }
}

function objectsPage(): DocsPage {
  const names = Object.keys(SCHEMAS)
  return {
    path: '/docs/reference/objects',
    title: 'Objects',
    group: GROUP,
    description: 'The objects of the API and their fields.',
    write: () => ({
      body: html`<h1>Objects</h1><p>The objects that requests and responses are made of. Unknown values are <code>null</code>; new fields may be added.</p>${Object.entries(
        SCHEMAS,
      ).map(
        ([name, schema]) =>
          html`<section class="endpoint" id="thing-${name}"><h2>${name} <a class="anchor" href="#thing-${name}" aria-label="Link to this object">#</a></h2>${schemaTable(schema)}</section>`,
      )}`,
      headings: names.map((name) => ({ id: `thing-${name}`, text: name, level: 2 })),
      text: '',
    }),
  }
}
