import type { MeasureText } from './labels.ts'

const SIZE_PX = 100

/** Measures text as MapLibre draws it: with the page's system font, half bold. */
export function textMeasure(): MeasureText {
  const context = document.createElement('canvas').getContext('2d')!
  context.font = `600 ${SIZE_PX}px system-ui, sans-serif`
  return (text) => context.measureText(text).width / SIZE_PX
}
