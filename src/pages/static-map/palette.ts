import { SEVERITIES, type Severity } from '../../domain/taxonomy.ts'

export const COLOURS = ['ink', 'quiet', 'paper', 'panel', 'line', 'land', 'outside', 'border', 'accent'] as const
export type Palette = Readonly<Record<(typeof COLOURS)[number] | Severity, string>>

/** The light theme; an image has no variables. */
export const IMAGE_PALETTE: Palette = {
  ink: '#1d2126',
  quiet: '#5d6570',
  paper: '#fbfaf7',
  panel: '#ffffff',
  line: '#dcd8cf',
  land: '#f3f0e8',
  outside: '#e4e9ec',
  border: '#b5ae9f',
  accent: '#0b6b58',
  low: '#6a94b8',
  medium: '#d99a1c',
  high: '#d9502a',
  critical: '#7d0f33',
}

/** The variables of the page, which follow its theme. */
export const PAGE_PALETTE = Object.fromEntries(
  [...COLOURS, ...SEVERITIES].map((name) => [name, `var(--${name})`]),
) as Palette
