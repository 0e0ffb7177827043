import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { decodeHTML } from 'entities'
import { parseFeed } from 'feedsmith'
import type { FeedItem } from '../../domain/sources.ts'

/** Reads one document at a time; see feed-reader.ts. */
parentPort?.on('message', (document: string) => {
  try {
    parentPort!.postMessage({ items: parseItems(document) })
  } catch (error) {
    parentPort!.postMessage({ fault: (error as Error).message })
  }
})

/** Items of one document that are read; feeds have them newest first. */
const MAX_ITEMS = 1000
const MAX_TITLE = 500
const MAX_TEXT = 10_000
const MAX_GUID = 2048

interface RawItem {
  readonly guid: string | undefined
  readonly url: string | undefined
  readonly title: string | undefined
  /** Several: the longest is read. */
  readonly texts: readonly (string | undefined)[]
  readonly published: string | undefined
}

/** Throws if the text is not a feed. Items without any text are left out. */
export function parseItems(document: string): FeedItem[] {
  return rawItems(document)
    .slice(0, MAX_ITEMS)
    .map(itemOf)
    .filter(({ title, text }) => title !== '' || text !== '')
}

function rawItems(document: string): RawItem[] {
  const parsed = parseFeed(document)
  switch (parsed.format) {
    case 'rss':
      return (parsed.feed.items ?? []).map((item) => ({
        guid: item.guid?.value,
        url: item.link ?? (item.guid?.isPermaLink === false ? undefined : item.guid?.value),
        title: item.title,
        texts: [item.content?.encoded, item.description],
        published: item.pubDate ?? item.dc?.dates?.[0],
      }))
    case 'atom':
      return (parsed.feed.entries ?? []).map((entry) => ({
        guid: entry.id,
        url: (entry.links?.find(({ rel }) => rel === undefined || rel === 'alternate') ?? entry.links?.[0])?.href,
        title: entry.title?.value,
        texts: [entry.content?.value, entry.summary?.value],
        published: entry.published ?? entry.updated,
      }))
    case 'rdf':
      return (parsed.feed.items ?? []).map((item) => ({
        guid: item.rdf?.about,
        url: item.link ?? item.rdf?.about,
        title: item.title,
        texts: [item.content?.encoded, item.description],
        published: item.dc?.dates?.[0],
      }))
    case 'json':
      return (parsed.feed.items ?? []).map((item) => ({
        guid: item.id,
        url: item.url ?? item.external_url,
        title: item.title,
        texts: [item.content_html, item.content_text, item.summary],
        published: item.date_published ?? item.date_modified,
      }))
  }
}

function itemOf({ guid, url, title, texts, published }: RawItem): FeedItem {
  const line = plainLine(title ?? '')
    .slice(0, MAX_TITLE)
    .toWellFormed()
  const text = texts
    .map((each) => plainText(each ?? ''))
    .reduce((longest, each) => (each.length > longest.length ? each : longest), '')
    .slice(0, MAX_TEXT)
    .toWellFormed()
  const address = webAddress(url)
  const time = Date.parse(published ?? '')
  return {
    guid: identityOf(guid) ?? address ?? digestOf(`${line}\n${text}`),
    url: address,
    title: line,
    text,
    publishedAt: Number.isNaN(time) ? null : time,
  }
}

function webAddress(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed.length > MAX_GUID || !URL.canParse(trimmed)) return null
  const address = new URL(trimmed)
  // It is shown and published with the story.
  address.username = ''
  address.password = ''
  return address.protocol === 'http:' || address.protocol === 'https:' ? address.href : null
}

function identityOf(guid: string | undefined): string | null {
  const trimmed = guid?.trim() ?? ''
  if (trimmed === '') return null
  return trimmed.length > MAX_GUID ? digestOf(trimmed) : trimmed
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Characters of HTML that are looked at. */
const MAX_HTML = 100_000
const HIDDEN = /<(script|style|figcaption|iframe|noscript)\b[\s\S]*?<\/\1\s*>/gi
const COMMENT = /<!--[\s\S]*?-->/g
const BLOCK_TAG = /<\/?(p|br|div|li|ul|ol|h[1-6]|blockquote|tr|table|section|article|figure|hr)\b[^<>]*>/gi
const TAG = /<\/?[a-z][^<>]*>/gi
/** WordPress adds this below each item. */
const FOOTER = /\n?The post [^\n]{0,300} (?:appeared first|first appeared) on [^\n]{0,200}$/

/** Markup becomes text: one line for each block, entities decoded, no control characters. */
export function plainText(html: string): string {
  const visible = html.slice(0, MAX_HTML).replace(COMMENT, ' ').replace(HIDDEN, ' ')
  const text = decodeHTML(visible.replace(BLOCK_TAG, '\n').replace(TAG, ''))
  return tidy(text).replace(FOOTER, '').trim()
}

/** A title: one line. */
function plainLine(html: string): string {
  return plainText(html).replace(/\s+/g, ' ')
}

function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n]+/gu, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}
