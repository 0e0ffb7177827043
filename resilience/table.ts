import type { Tally } from './harness/newsroom.ts'
import { type Finding, isSound } from './proof.ts'

/** What a proof has found, by its name. */
export type Found = readonly [name: string, finding: Finding]

const COUNTS: readonly (readonly [keyof Tally, string])[] = [
  ['confirmed', 'confirmed'],
  ['owed', 'owed'],
  ['delivered', 'delivered'],
  ['repeated', 'repeated'],
  ['lost', 'lost'],
  ['outOfSequence', 'out of sequence'],
  ['renamed', 'under another id'],
  ['uncalledFor', 'uncalled for'],
  ['forgotten', 'not in the log'],
]

export const HEAD: readonly string[] = ['fault', 'where', 'times', ...COUNTS.map(([, heading]) => heading), '']

export function cellsOf([name, finding]: Found): string[] {
  return [
    name,
    finding.where,
    String(finding.times),
    ...COUNTS.map(([count]) => (finding.tally === null ? '–' : String(finding.tally[count]))),
    isSound(finding) ? 'ok' : 'BROKEN',
  ]
}

/** The findings of several proofs, a line for each; below it what else was promised. */
export function tableOf(found: readonly Found[]): string {
  const lines = [HEAD, ...found.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const drawn = lines.map((line) =>
    line
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  )
  const promises = found.flatMap(([name, { where, promises }]) =>
    promises.map(({ what, kept, seen }) => `${kept ? 'kept  ' : 'BROKEN'}  ${name}, ${where}: ${what}: ${seen}`),
  )
  return [...drawn, ...(promises.length > 0 ? ['', ...promises] : [])].join('\n')
}
