import { hash } from 'node:crypto'
import { STYLE } from '../style.ts'

/** Before the first paint, so that a chosen theme does not flash in the other one's colours. */
export const THEME_SCRIPT =
  "try{const t=localStorage.getItem('theme');if(t)document.documentElement.dataset.theme=t}catch{}"

/** What the map's page may load: its own files, and what the operator's style brings. */
export function mapPolicy(styleUrl: string | null, embedded: boolean): string {
  const style = styleUrl === null ? '' : ` ${new URL(styleUrl).origin}`
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash('sha256', THEME_SCRIPT, 'base64')}'`,
    // The inline style is of the plain page that stands in where the map has not been built.
    `style-src 'self' 'sha256-${hash('sha256', STYLE, 'base64')}'`,
    `img-src 'self' data: blob:${style}`,
    `connect-src 'self'${style}`,
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${embedded ? '*' : "'none'"}`,
  ].join('; ')
}
