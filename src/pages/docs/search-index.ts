import { TAGS, type Tag } from '../../api/contract/endpoint.ts'
import { ENDPOINTS, SCHEMAS } from '../../api/contract/reference.ts'
import { ERRORS } from '../../domain/error-codes.ts'
import type { DocsContext, DocsPage } from './docs-page.ts'
import { tagPath } from './reference/reference-pages.ts'
import { objectPath } from './reference/schema-table.ts'

/** Title, place in the documents, address, and further words that lead to it. */
export type SearchEntry = readonly [title: string, place: string, address: string, words: string]

/** All that the search of `/docs` finds; the browser reads it once. */
export function searchIndex(guides: readonly DocsPage[], context: DocsContext): readonly SearchEntry[] {
  return [
    ...guides.flatMap((guide) => guideEntries(guide, context)),
    ...(Object.keys(TAGS) as Tag[]).flatMap((tag) =>
      ENDPOINTS.filter((declared) => declared.tag === tag).map(
        ({ id, method, path, summary, query = {} }): SearchEntry => [
          summary,
          `${method} ${path}`,
          `${tagPath(tag)}#${id}`,
          [id, ...Object.keys(query)].join(' '),
        ],
      ),
    ),
    ...Object.keys(SCHEMAS).map((name): SearchEntry => [name, 'Object', objectPath(name), '']),
    ...Object.entries(ERRORS).map(
      ([code, { status, title }]): SearchEntry => [code, `Error ${status}`, `/docs/errors#error-${code}`, title],
    ),
  ]
}

const MOST_WORDS = 600

function guideEntries({ path, title, write }: DocsPage, context: DocsContext): SearchEntry[] {
  const { headings, text } = write(context)
  const words = new Set(text.toLowerCase().match(/[a-z0-9_-]{4,}/g) ?? [])
  return [
    [title, 'Guide', path, [...words].slice(0, MOST_WORDS).join(' ')],
    ...headings
      .filter(({ level }) => level === 2)
      .map(({ id, text }): SearchEntry => [text, title, `${path}#${id}`, '']),
  ]
}
