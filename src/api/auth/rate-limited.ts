import { Problem } from '../../domain/errors.ts'

export function rateLimited(sentence: string, resetsIn: number): Problem {
  return new Problem('rate_limited', `${sentence} Try again in ${resetsIn} s.`, {
    headers: { 'retry-after': String(resetsIn) },
  })
}
