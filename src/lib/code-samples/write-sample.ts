import { curlSample } from './curl.ts'
import { goSample } from './go.ts'
import { javascriptSample } from './javascript.ts'
import { phpSample } from './php.ts'
import { pythonSample } from './python.ts'
import type { SampleRequest } from './sample-request.ts'

/** The languages of the samples, by their names in addresses and in storage. */
export const SAMPLE_LANGUAGES = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
} as const
export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES
export const SAMPLE_LANGUAGE_NAMES = Object.keys(SAMPLE_LANGUAGES) as readonly SampleLanguage[]

const WRITERS: Readonly<Record<SampleLanguage, (request: SampleRequest) => string>> = {
  curl: curlSample,
  javascript: javascriptSample,
  python: pythonSample,
  php: phpSample,
  go: goSample,
}

export function writeSample(language: SampleLanguage, request: SampleRequest): string {
  return WRITERS[language](request)
}
