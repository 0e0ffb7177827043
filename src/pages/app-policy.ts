import { hash } from 'node:crypto'
import { THEME_SCRIPT } from './map/policy.ts'

/** Content-Security-Policy of the desk and the console: own files and this service, in no frame. */
export const APP_POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${hash('sha256', THEME_SCRIPT, 'base64')}'`,
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
