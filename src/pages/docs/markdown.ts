import { lexer, type Tokens } from 'marked'
import { Html, html } from '../html.ts'

type Token = Tokens.Generic

export interface Heading {
  readonly id: string
  readonly text: string
  readonly level: number
}

interface RenderedMarkdown {
  readonly title: string
  readonly body: Html
  /** The headings below the title. */
  readonly headings: readonly Heading[]
  /** The words of the page, for the search. */
  readonly text: string
}

export interface CodeBlock {
  readonly language: string
  readonly text: string
}

interface MarkdownParts {
  /** Turns the address of a link into that of the served page; null if none is served. */
  readonly resolveLink: (address: string) => string | null
  /** Fills `<!-- name -->`. */
  readonly slot: (name: string) => Html
  /** Shows neighbouring blocks of code. */
  readonly code: (blocks: readonly CodeBlock[]) => Html
}

/** Renders Markdown; every text is escaped, HTML in it too. */
export function renderMarkdown(markdown: string, parts: MarkdownParts): RenderedMarkdown {
  const tokens: Token[] = lexer(markdown).filter(({ type }) => type !== 'space')
  refuseOpenCode(markdown, tokens)
  const headings = withDistinctIds(tokens.filter((token) => token.type === 'heading'))
  const unused = [...headings]
  const body: Html[] = []
  for (let at = 0; at < tokens.length; at++) {
    const code: CodeBlock[] = []
    for (; tokens[at]?.type === 'code'; at++) code.push({ language: tokens[at]!.lang ?? '', text: tokens[at]!.text })
    if (code.length > 0) body.push(parts.code(code))
    if (tokens[at] !== undefined) body.push(renderBlock(tokens[at]!, parts, () => unused.shift()!.id))
  }
  return {
    title: headings[0]?.text ?? '',
    body: html`${body}`,
    headings: headings.slice(1),
    text: tokens.map(textOf).filter(Boolean).join(' '),
  }
}

function renderBlock(token: Token, parts: MarkdownParts, nextId: () => string): Html {
  const inline = (tokens: Token[] | undefined) => inlineHtml(tokens ?? [], parts)
  const block = token as Tokens.Heading | Tokens.List | Tokens.Table | Tokens.HTML | Tokens.Paragraph
  switch (block.type) {
    case 'heading':
      return headingHtml(block.depth, nextId(), inline(block.tokens))
    case 'list': {
      const items = block.items.map(({ tokens }) => {
        const content = tokens.map((part) =>
          part.type === 'text' ? inline((part as Tokens.Text).tokens) : renderBlock(part, parts, nextId),
        )
        return html`<li>${content}</li>`
      })
      return block.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`
    }
    case 'table': {
      const head = block.header.map((cell) => html`<th scope="col">${inline(cell.tokens)}</th>`)
      const rows = block.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell.tokens)}</td>`)}</tr>`)
      return html`<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`
    }
    case 'html': {
      const slot = /^<!-- ([\w-]+) -->$/.exec(block.text.trim())
      return slot ? parts.slot(slot[1]!) : html`<p>${block.text.trim()}</p>`
    }
    default:
      return html`<p>${inline(block.tokens)}</p>`
  }
}

/** Code, bold, emphasis and links; all else is text. */
function inlineHtml(tokens: readonly Token[], parts: MarkdownParts): Html {
  const pieces = tokens.map((token): Html => {
    const inner = () => inlineHtml(token.tokens ?? [], parts)
    if (token.type === 'codespan') return html`<code>${token.text}</code>`
    if (token.type === 'strong') return html`<strong>${inner()}</strong>`
    if (token.type === 'em') return html`<em>${inner()}</em>`
    // An address that is only written out stays text.
    if (token.type === 'link' && token.raw.startsWith('[')) {
      const served = parts.resolveLink(token.href)
      return served === null ? inner() : html`<a href="${served}">${inner()}</a>`
    }
    return html`${(token.type === 'text' || token.type === 'escape' ? token.text : token.raw).replaceAll('\n', ' ')}`
  })
  return new Html(pieces.map(({ text }) => text).join(''))
}

function headingHtml(level: number, id: string, text: Html): Html {
  if (level === 1) return html`<h1 id="${id}">${text}</h1>`
  const link = html`<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
  return level === 2 ? html`<h2 id="${id}">${text} ${link}</h2>` : html`<h3 id="${id}">${text} ${link}</h3>`
}

function withDistinctIds(headings: readonly Token[]): readonly Heading[] {
  const used = new Map<string, number>()
  return headings.map(({ text, depth }) => {
    const slug = plainText(text)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
    const count = (used.get(slug) ?? 0) + 1
    used.set(slug, count)
    return { id: count === 1 ? slug : `${slug}-${count}`, text: plainText(text), level: depth }
  })
}

/** Markdown would take the rest of the page for code; a guide that does so is a mistake. */
function refuseOpenCode(markdown: string, tokens: readonly Token[]): void {
  const open = tokens.find(({ type, raw }) => type === 'code' && !raw.trimEnd().endsWith('```'))
  if (open === undefined) return
  const line = markdown.slice(0, markdown.indexOf(open.raw)).split('\n').length
  throw new Error(`The code that begins in line ${line} has no end.`)
}

function textOf(token: Token): string {
  const texts =
    token.type === 'paragraph'
      ? [token]
      : token.type === 'list'
        ? token.items
        : token.type === 'table'
          ? token.rows.flat()
          : []
  return plainText(texts.map(({ text }: { text: string }) => text.replaceAll(/\n\s*/g, ' ')).join(' '))
}

/** For slugs, titles and the search: the words without the marks. */
export function plainText(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
}
