import type { Severity } from '../../../src/domain/taxonomy.ts'
import type { Theme } from '../theme.ts'

export interface Colours {
  readonly land: string
  /** The sea. */
  readonly outside: string
  /** The neighbours' land. */
  readonly abroad: string
  readonly abroadBorder: string
  readonly water: string
  /** The names of waters. */
  readonly waterInk: string
  readonly road: string
  readonly stateBorder: string
  readonly lgaBorder: string
  readonly panel: string
  readonly ink: string
  readonly quiet: string
  readonly accent: string
  readonly severity: Readonly<Record<Severity, string>>
}

/** Repeats colours of web/shared/tokens.css: a canvas cannot read CSS custom properties. */
export const COLOURS: Readonly<Record<Theme, Colours>> = {
  light: {
    land: '#f3f0e8',
    outside: '#e4e9ec',
    abroad: '#ebe9e3',
    abroadBorder: '#d3cfc5',
    water: '#bcd2de',
    waterInk: '#5f8397',
    road: '#cbb994',
    stateBorder: '#b5ae9f',
    lgaBorder: '#dad5c9',
    panel: '#ffffff',
    ink: '#1d2126',
    quiet: '#5d6570',
    accent: '#0b6b58',
    severity: { low: '#6a94b8', medium: '#d99a1c', high: '#d9502a', critical: '#7d0f33' },
  },
  dark: {
    land: '#20262d',
    outside: '#0f1215',
    abroad: '#171b20',
    abroadBorder: '#2b3139',
    water: '#2c4557',
    waterInk: '#7a9db1',
    road: '#5a5140',
    stateBorder: '#46505b',
    lgaBorder: '#2d343c',
    panel: '#1b1f24',
    ink: '#e8eaed',
    quiet: '#9aa4af',
    accent: '#4fc3a8',
    severity: { low: '#7fa8cc', medium: '#f0b840', high: '#ff7a4d', critical: '#ff4d78' },
  },
}
