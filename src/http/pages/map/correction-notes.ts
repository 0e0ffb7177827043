import { english } from '../../../i18n/translate.ts'
import type { AddressCorrection } from '../../../query/map-address.ts'
import { type Html, html } from '../html.ts'

/** Says which parts of a link were read differently, or not at all. */
export function correctionNotes(corrections: readonly AddressCorrection[]): Html | null {
  if (corrections.length === 0) return null
  return html`${corrections.map((correction) => html`<p class="note warning">${sentenceFor(correction)}</p>`)}`
}

function sentenceFor({ given, readAs }: AddressCorrection): string {
  return readAs === null ? english('filters.left_out', { given }) : english('filters.read_as', { given, name: readAs })
}
