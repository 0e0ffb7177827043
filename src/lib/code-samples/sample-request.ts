export type SampleMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A value as JSON has it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A request to be shown as code. `$NAME` in its texts is a variable of the environment. */
export interface SampleRequest {
  readonly method: SampleMethod
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Json
  /**
   * How the answer is read: as JSON, as text, as bytes that are counted, or line by line as it
   * arrives.
   */
  readonly answer: 'json' | 'text' | 'bytes' | 'lines'
}

const VARIABLE = /\$([A-Z][A-Z0-9_]*)/

/** One part of a text: as it is, or the name of a variable. */
export type TextPart = { readonly text: string } | { readonly variable: string }

export function partsOf(text: string): readonly TextPart[] {
  return text
    .split(VARIABLE)
    .map((each, index): TextPart => (index % 2 === 0 ? { text: each } : { variable: each }))
    .filter((part) => 'variable' in part || part.text !== '')
}

/** The names of all variables of a request, in order, each once. */
export function variablesOf({ url, headers, body }: SampleRequest): readonly string[] {
  const texts = [url, ...Object.values(headers), JSON.stringify(body ?? null)]
  const names = texts.flatMap(partsOf).flatMap((part) => ('variable' in part ? [part.variable] : []))
  return [...new Set(names)]
}
