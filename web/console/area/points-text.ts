import type { Position } from 'geojson'

/** Writes points as people write them: latitude, longitude, one in each line. */
export function pointsText(points: readonly Position[]): string {
  return points.map(([lng, lat]) => `${lat}, ${lng}`).join('\n')
}

/** Reads points, or says which line is wrong. */
export function readPoints(text: string): { readonly points: Position[] } | { readonly problem: string } {
  const points: Position[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const numbers = line.trim().split(/[\s,;]+/)
    const [lat, lng] = numbers.map(Number)
    const isPoint = numbers.length === 2 && !numbers.includes('') && Math.abs(lat!) <= 90 && Math.abs(lng!) <= 180
    if (!isPoint) return { problem: `Line ${index + 1} is not a latitude and a longitude, such as 10.52, 7.44.` }
    points.push([lng!, lat!])
  }
  return { points }
}
