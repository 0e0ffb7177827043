import { type Html, html } from '../../html.ts'
import { inlineHtml, plainText, type ResolveLink, slugOf } from './inline.ts'
import { type Block, parseBlocks } from './parse-blocks.ts'

export interface Heading {
  readonly id: string
  readonly text: string
  readonly level: number
}

export interface RenderedMarkdown {
  readonly title: string
  readonly body: Html
  /** Those below the title. */
  readonly headings: readonly Heading[]
  /** The words of the page, for the search. */
  readonly text: string
}

export interface MarkdownParts {
  readonly resolveLink: ResolveLink
  /** Fills `<!-- name -->`. */
  readonly slot: (name: string) => Html
  /** Shows neighbouring blocks of code. */
  readonly code: (blocks: readonly CodeBlock[]) => Html
}

export type CodeBlock = Extract<Block, { kind: 'code' }>

/** Renders the small part of Markdown that the guides use; every text is escaped. */
export function renderMarkdown(markdown: string, parts: MarkdownParts): RenderedMarkdown {
  const blocks = parseBlocks(markdown)
  const headings = withDistinctIds(blocks.filter((block) => block.kind === 'heading'))
  const unused = [...headings]
  const body = groupCode(blocks).map((group) => {
    if (Array.isArray(group)) return parts.code(group)
    return renderBlock(group as Exclude<Block, CodeBlock>, parts, () => unused.shift()!.id)
  })
  return {
    title: headings[0]?.text ?? '',
    body: html`${body}`,
    headings: headings.slice(1),
    text: blocks.map(textOf).filter(Boolean).join(' '),
  }
}

type Group = Exclude<Block, CodeBlock> | readonly CodeBlock[]

function groupCode(blocks: readonly Block[]): readonly Group[] {
  const groups: (Exclude<Block, CodeBlock> | CodeBlock[])[] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    if (block.kind !== 'code') groups.push(block)
    else if (Array.isArray(last)) last.push(block)
    else groups.push([block])
  }
  return groups
}

function renderBlock(block: Exclude<Block, CodeBlock>, parts: MarkdownParts, nextId: () => string): Html {
  const inline = (text: string) => inlineHtml(text, parts.resolveLink)
  if (block.kind === 'slot') return parts.slot(block.name)
  if (block.kind === 'paragraph') return html`<p>${inline(block.text)}</p>`
  if (block.kind === 'heading') return headingHtml(block.level, nextId(), inline(block.text))
  if (block.kind === 'list') {
    const items = block.items.map((item) => html`<li>${inline(item)}</li>`)
    return block.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`
  }
  const head = block.head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)
  const rows = block.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`
}

function headingHtml(level: number, id: string, text: Html): Html {
  if (level === 1) return html`<h1 id="${id}">${text}</h1>`
  const link = html`<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
  return level === 2 ? html`<h2 id="${id}">${text} ${link}</h2>` : html`<h3 id="${id}">${text} ${link}</h3>`
}

function withDistinctIds(blocks: readonly Extract<Block, { kind: 'heading' }>[]): readonly Heading[] {
  const used = new Map<string, number>()
  return blocks.map(({ text, level }) => {
    const slug = slugOf(text)
    const count = (used.get(slug) ?? 0) + 1
    used.set(slug, count)
    return { id: count === 1 ? slug : `${slug}-${count}`, text: plainText(text), level }
  })
}

function textOf(block: Block): string {
  if (block.kind === 'paragraph') return plainText(block.text)
  if (block.kind === 'list') return plainText(block.items.join(' '))
  return block.kind === 'table' ? plainText(block.rows.flat().join(' ')) : ''
}
