import { isSound } from './proof.ts'
import { cellsOf, type Found, HEAD } from './table.ts'

export interface Circumstances {
  readonly machine: string
  readonly commit: string
  readonly minutes: number
}

/** RESULTS.md: what was counted under each fault, and what else was promised. */
export function resultsPage(found: readonly Found[], { machine, commit, minutes }: Circumstances): string {
  const broken = found.filter(([, finding]) => !isSound(finding)).length
  const verdict = broken === 0 ? '**All promises were kept.**' : `**${broken} of ${found.length} rows are broken.**`
  return `${[
    '# What was counted',
    `Written by \`npm run prove\`, not by hand. [docs/faults.md](../docs/faults.md) says what each fault is and what users see of it.`,
    `${machine}. Commit ${commit}; ${minutes.toFixed(1)} minutes.`,
    verdict,
    counts(found),
    '## What else was promised',
    promises(found),
  ].join('\n\n')}\n`
}

function counts(found: readonly Found[]): string {
  const rule = HEAD.map((_, column) => (column < 2 ? '---' : '---:'))
  return [HEAD, rule, ...found.map(cellsOf)].map(line).join('\n')
}

function promises(found: readonly Found[]): string {
  const rows = found.flatMap(([name, { where, promises }]) =>
    promises.map(({ what, kept, seen }) => [name, where, what, seen, kept ? 'kept' : '**BROKEN**']),
  )
  return [['fault', 'where', 'promise', 'seen', ''], Array(5).fill('---'), ...rows].map(line).join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
