import type { Config } from '../../config/settings.ts'
import type { Html } from '../html.ts'
import type { Heading } from './markdown/render.ts'

/** What pages are written from. */
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
