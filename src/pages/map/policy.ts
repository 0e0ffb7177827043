import { hash } from 'node:crypto'
import { FIRST_STYLE } from './first-style.ts'

/** Runs before the first paint, so that the page does not flash in the other theme. */
export const THEME_SCRIPT =
  "try{const t=localStorage.getItem('theme');if(t)document.documentElement.dataset.theme=t}catch{}"

const SCRIPT_HASH = hash('sha256', THEME_SCRIPT, 'base64')
const STYLE_HASH = hash('sha256', FIRST_STYLE, 'base64')

/** Content-Security-Policy: the page's own files and those of the operator's map style. */
export function mapPolicy(styleUrl: string | null, embedded: boolean): string {
  const style = styleUrl === null ? '' : ` ${new URL(styleUrl).origin}`
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${SCRIPT_HASH}'`,
    `style-src 'self' 'sha256-${STYLE_HASH}'`,
    `img-src 'self' data: blob:${style}`,
    `connect-src 'self'${style}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${embedded ? '*' : "'none'"}`,
  ].join('; ')
}
