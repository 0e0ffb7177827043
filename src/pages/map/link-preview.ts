import { type Html, html } from '../html.ts'
import { type PageLanguage, pathInLanguage } from '../page-language.ts'
import { IMAGE_HEIGHT, IMAGE_WIDTH } from '../preview/frame.ts'

/** Parameters that change nothing on the preview image of a view. */
const NOT_IN_IMAGE = ['embed', 'incident', 'layer']

export interface LinkPreview {
  /** The path and query that people share. */
  readonly path: string
  /** The path of the image. */
  readonly image: string
}

/** The preview of the map with a query. */
export function viewPreview(query: URLSearchParams): LinkPreview {
  const shown = new URLSearchParams(query)
  for (const name of NOT_IN_IMAGE) shown.delete(name)
  const text = shown.size === 0 ? '' : `?${shown}`
  return { path: `/${text}`, image: `/preview.png${text}` }
}

export function incidentPreview(id: string, language: PageLanguage): LinkPreview {
  const path = `/incidents/${encodeURIComponent(id)}`
  return { path: pathInLanguage(path, language), image: pathInLanguage(`${path}/preview.png`, language) }
}

/** What messengers and social networks show for a link. */
export function linkPreviewTags(
  preview: LinkPreview,
  { name, title, description }: Readonly<Record<'name' | 'title' | 'description', string>>,
  publicUrl: string,
): Html {
  return html`<meta property="og:type" content="website"><meta property="og:site_name" content="${name}"><meta property="og:title" content="${title}"><meta property="og:description" content="${description}"><meta property="og:url" content="${publicUrl}${preview.path}"><meta property="og:image" content="${publicUrl}${preview.image}"><meta property="og:image:type" content="image/png"><meta property="og:image:width" content="${IMAGE_WIDTH}"><meta property="og:image:height" content="${IMAGE_HEIGHT}"><meta property="og:image:alt" content="${title}"><meta name="twitter:card" content="summary_large_image">`
}
