import { hash } from 'node:crypto'
import { STYLE } from '../style.ts'

/** Runs before the first paint, so that the page does not flash in the other theme. */
export const THEME_SCRIPT =
  "try{const t=localStorage.getItem('theme');if(t)document.documentElement.dataset.theme=t}catch{}"

/** Content-Security-Policy: the page's own files and those of the operator's map style. */
export function mapPolicy(styleUrl: string | null, embedded: boolean): string {
  const style = styleUrl === null ? '' : ` ${new URL(styleUrl).origin}`
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash('sha256', THEME_SCRIPT, 'base64')}'`,
    // The inline style of the plain page, shown if the map has not been built.
    `style-src 'self' 'sha256-${hash('sha256', STYLE, 'base64')}'`,
    `img-src 'self' data: blob:${style}`,
    `connect-src 'self'${style}`,
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${embedded ? '*' : "'none'"}`,
  ].join('; ')
}
