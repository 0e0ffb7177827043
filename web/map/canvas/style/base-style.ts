import type { StyleSpecification } from 'maplibre-gl'

/** The operator's own style, to lie beneath; null where it cannot be had: then the plain map is shown. */
export async function baseStyle(url: string | null): Promise<StyleSpecification | null> {
  if (url === null) return null
  try {
    const response = await fetch(url)
    if (response.ok) return (await response.json()) as StyleSpecification
    console.warn(`the base map answered ${response.status}; the plain one is shown`)
  } catch (error) {
    console.warn('the base map cannot be reached; the plain one is shown:', error)
  }
  return null
}
