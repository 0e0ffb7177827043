/** What came back, and how long it took to the last byte. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly took: number
}

export interface Question {
  readonly method?: string
  readonly body?: unknown
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that nothing in the load explains. */
export class Unexpected extends Error {
  override readonly name = 'Unexpected'
}

const PATIENCE = 20_000

/** Asks one service with one key, and is told what each answer must be. */
export class Asking {
  readonly url: string
  readonly key: string

  constructor(url: string, key: string) {
    this.url = url
    this.key = key
  }

  async ask(path: string, expected: readonly number[], question: Question = {}): Promise<Answer> {
    const { method = 'GET', body, key = this.key, headers = {} } = question
    const began = performance.now()
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE),
    })
    const text = await response.text()
    if (!expected.includes(response.status))
      throw new Unexpected(`${method} ${path} was answered ${response.status}: ${text.slice(0, 300)}`)
    return { status: response.status, headers: response.headers, body: text, took: performance.now() - began }
  }
}
