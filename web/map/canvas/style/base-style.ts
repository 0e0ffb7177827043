import type { StyleSpecification } from 'maplibre-gl'

/** Loads the operator's base map; null, which shows the plain map, if there is none or it fails. */
export async function loadBaseStyle(url: string | null): Promise<StyleSpecification | null> {
  if (url === null) return null
  try {
    const response = await fetch(url)
    if (response.ok) return (await response.json()) as StyleSpecification
    console.warn(`The base map answered ${response.status}; the plain map is shown.`)
  } catch (error) {
    console.warn('The base map cannot be reached; the plain map is shown:', error)
  }
  return null
}
