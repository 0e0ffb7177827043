import { type ConfidenceLevel, confidenceLevel } from '../../src/domain/confidence.ts'
import type { Category, IncidentType, Severity } from '../../src/domain/taxonomy.ts'
import { type BrowserKey, isBrowserKey } from '../../src/i18n/browser/english.ts'
import { t } from './language.ts'

/** Names a type in the reader's language; one that this page does not know yet by its own name. */
export function typeText(type: IncidentType): string {
  return named(`common.type_${type}`, type)
}

export function categoryText(category: Category): string {
  return named(`common.category_${category}`, category)
}

export function severityText(severity: Severity): string {
  return t(`common.severity_${severity}`)
}

export function levelText(level: ConfidenceLevel): string {
  return t(`common.confidence_${level}`)
}

/** Puts a confidence into words: `Likely`. */
export function confidenceText(confidence: number): string {
  return levelText(confidenceLevel(confidence))
}

function named(key: BrowserKey, name: string): string {
  return isBrowserKey(key) ? t(key) : name.replaceAll('_', ' ')
}
