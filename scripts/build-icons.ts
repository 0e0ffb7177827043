/**
 * Writes the site's icons: `node scripts/build-icons.ts`, after changing scripts/icons/drawing.ts.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { iconPaint, iconSvg } from './icons/drawing.ts'
import { drawPng, wrapInIco } from './icons/png.ts'

const FOLDER = join(import.meta.dirname, '../src/pages/site/icons')

const rounded = iconPaint({ rounded: true, scale: 1 })
// The platform cuts its own shape out of these.
const square = iconPaint({ rounded: false, scale: 1 })
const small = iconPaint({ rounded: true, scale: 1.25 })

export const ICONS: Readonly<Record<string, Buffer>> = {
  'icon.svg': Buffer.from(iconSvg()),
  'icon-192.png': drawPng(192, rounded),
  'icon-512.png': drawPng(512, rounded),
  'icon-maskable-512.png': drawPng(512, square),
  'apple-touch-icon.png': drawPng(180, square),
  'favicon.ico': wrapInIco(drawPng(32, small)),
}

if (import.meta.main) for (const [name, bytes] of Object.entries(ICONS)) writeFileSync(join(FOLDER, name), bytes)
