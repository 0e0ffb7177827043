import type { FastifyRequest } from 'fastify'
import { isLanguage, type Language, preferredLanguage } from '../../domain/languages.ts'
import { queryOf } from './parameters.ts'

/** More preferences than any browser sends; the rest is not read. */
const MAX_PREFERENCES = 20

/** The language of a page: `?lang=ha`, else the first of `Accept-Language` that we have. */
export function requestLanguage(request: FastifyRequest): Language {
  return languageInAddress(request) ?? preferredLanguage(acceptedLanguages(request.headers['accept-language'] ?? ''))
}

/** Null if the address names none that we have. */
export function languageInAddress(request: FastifyRequest): Language | null {
  const asked = new URLSearchParams(queryOf(request)).get('lang')
  return isLanguage(asked) ? asked : null
}

/** Returns `['ha-NG', 'en']` for `en;q=0.5, ha-NG`. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',', MAX_PREFERENCES)
    .map((part) => {
      const [tag, ...parameters] = part.split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return { tag: tag!.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}
