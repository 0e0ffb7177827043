/** The blocks of Markdown that the guides and the changelog use. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  /** `<!-- limits -->`: a place that the service fills. */
  | { readonly kind: 'slot'; readonly name: string }

const FENCE = /^```(\w*)$/
const ITEM = /^(?:-|(\d+)\.) +(.*)$/
const SLOT = /^<!-- ([\w-]+) -->$/
const HEADING = /^(#{1,4}) +(.*)$/

export function parseBlocks(markdown: string): readonly Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at]!
    if (line.trim() === '') {
      at++
      continue
    }
    const [block, next] = readBlock(lines, at)
    blocks.push(block)
    at = next
  }
  return blocks
}

function readBlock(lines: readonly string[], at: number): [Block, number] {
  const line = lines[at]!
  const fence = FENCE.exec(line)
  if (fence) return readCode(lines, at, fence[1]!)
  const heading = HEADING.exec(line)
  if (heading) return [{ kind: 'heading', level: heading[1]!.length, text: heading[2]! }, at + 1]
  const slot = SLOT.exec(line)
  if (slot) return [{ kind: 'slot', name: slot[1]! }, at + 1]
  if (line.startsWith('|')) return readTable(lines, at)
  if (ITEM.test(line)) return readList(lines, at)
  const end = endOfText(lines, at + 1)
  return [{ kind: 'paragraph', text: lines.slice(at, end).join(' ') }, end]
}

function readCode(lines: readonly string[], at: number, language: string): [Block, number] {
  const end = lines.indexOf('```', at + 1)
  if (end === -1) throw new Error(`The code that begins in line ${at + 1} has no end.`)
  return [{ kind: 'code', language, text: lines.slice(at + 1, end).join('\n') }, end + 1]
}

function readTable(lines: readonly string[], at: number): [Block, number] {
  let end = at
  while (lines[end]?.startsWith('|')) end++
  // A bar inside code is written `\|`.
  const cells = lines.slice(at, end).map((line) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|')),
  )
  return [{ kind: 'table', head: cells[0]!, rows: cells.slice(2) }, end]
}

function readList(lines: readonly string[], at: number): [Block, number] {
  const ordered = ITEM.exec(lines[at]!)![1] !== undefined
  const items: string[] = []
  let next = at
  while (next < lines.length) {
    const item = ITEM.exec(lines[next]!)
    if (item === null) break
    const end = endOfText(lines, next + 1)
    items.push([item[2]!, ...lines.slice(next + 1, end).map((each) => each.trim())].join(' '))
    next = end
  }
  return [{ kind: 'list', ordered, items }, next]
}

/** A paragraph or item ends at an empty line, or where another block begins. */
function endOfText(lines: readonly string[], from: number): number {
  let end = from
  while (end < lines.length && lines[end]!.trim() !== '' && !isBeginning(lines[end]!)) end++
  return end
}

function isBeginning(line: string): boolean {
  return FENCE.test(line) || ITEM.test(line) || HEADING.test(line) || line.startsWith('|')
}
