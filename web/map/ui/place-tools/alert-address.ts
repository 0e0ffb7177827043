import { addressText, type BoundingBox, boxText, type View, writeView } from '../../view/view.ts'

const AREA_PARTS = ['state', 'lga', 'near', 'radius_km', 'road', 'buffer_km', 'polygon', 'box'] as const

/**
 * The address of the page of alerts for what the map is restricted to. Without a restriction it is
 * the part of the map that is shown; null if that is all of Nigeria.
 */
export function alertAddress(view: View, visible: BoundingBox | null, language: string): string {
  const shown = writeView(view)
  const address = new URLSearchParams()
  for (const name of AREA_PARTS) {
    const value = shown.get(name)
    if (value !== null) address.set(name, value)
  }
  if (address.size === 0 && visible !== null) address.set('box', boxText(visible))
  if (view.severities.length > 0) address.set('severity', view.severities.join(','))
  if (language !== 'en') address.set('lang', language)
  return address.size === 0 ? '/alerts' : `/alerts?${addressText(address)}`
}
