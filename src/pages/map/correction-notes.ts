import type { AddressCorrection } from '../../filter/map-address.ts'
import type { Translate } from '../../i18n/translate.ts'
import { type Html, html } from '../html.ts'

/** Says which parts of a link were read differently, or not at all. */
export function correctionNotes(corrections: readonly AddressCorrection[], t: Translate): Html | null {
  if (corrections.length === 0) return null
  return html`${corrections.map((correction) => html`<p class="note warning">${sentenceFor(correction, t)}</p>`)}`
}

function sentenceFor({ given, readAs }: AddressCorrection, t: Translate): string {
  return readAs === null ? t('filters.left_out', { given }) : t('filters.read_as', { given, name: readAs })
}
