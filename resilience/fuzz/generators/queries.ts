import fc from 'fast-check'
import type { Operation, Parameter } from '../openapi-document.ts'
import { mostly, sometimes } from './chance.ts'
import type { LearnedValues } from './learned-values.ts'
import { encode, unencoded } from './paths.ts'
import { anyText, mutated } from './texts.ts'

/** The probability of each optional parameter of an operation with many parameters. */
const OPTIONAL = 0.1
/** The same for an operation with fewer than five. */
const OPTIONAL_OF_FEW = 0.8
const CURSOR = 0.15
const MISSING_REQUIRED = 0.02
const DUPLICATE = 0.02
const UNKNOWN_PARAMETER = 0.02
const MALFORMED_QUERY = 0.02

type Pair = readonly [name: string, value: string]

/** Generates a query string without the question mark; empty for none. */
export function queryFor(
  { parameters }: Operation,
  learned: LearnedValues,
  publishableKey: string,
): fc.Arbitrary<string> {
  const inQuery = parameters.filter((one) => one.in === 'query')
  const share = inQuery.length < 5 ? OPTIONAL_OF_FEW : OPTIONAL
  const given = inQuery.map((parameter) => {
    const pair = parameterValue(parameter, learned, publishableKey).map((value): Pair => [parameter.name, value])
    if (parameter.required) return mostly<Pair | undefined>(pair, [MISSING_REQUIRED, fc.constant(undefined)])
    return sometimes(parameter.name === 'cursor' ? CURSOR : share, pair)
  })
  const query = fc
    .tuple(
      fc.tuple(...given),
      sometimes(DUPLICATE, fc.nat(99)),
      sometimes(UNKNOWN_PARAMETER, fc.tuple(anyText, anyText)),
    )
    .map(([drawn, duplicate, unknown]) => {
      const pairs = drawn.filter((pair) => pair !== undefined)
      if (duplicate !== undefined && pairs.length > 0) pairs.push(pairs[duplicate % pairs.length]!)
      if (unknown !== undefined) pairs.push(unknown)
      return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
    })
  const malformed = fc.tuple(anyText, anyText).map(([one, other]) => unencoded(one) + unencoded(other))
  return mostly(query, [MALFORMED_QUERY, malformed])
}

function parameterValue(
  { name, schema, example }: Parameter,
  learned: LearnedValues,
  publishableKey: string,
): fc.Arbitrary<string> {
  if (name === 'key') return fc.constant(publishableKey)
  const valid = fc.constant([example ?? ''].flat().join(','))
  const wrong = [[0.09, mutated(valid)] as const, [0.06, anyText] as const]
  if (name === 'cursor') return mostly(valid, [0.7, learned.oneOf('next_cursor', fc.constant('x'))], ...wrong)
  if (name === 'limit') {
    const limits = fc.constantFrom(...[0, 1, 2, 50, 100, 101, 200, 201, 1000, 1001].map(String))
    return mostly(valid, [0.7, limits], ...wrong)
  }
  const { enum: values = schema.items?.enum } = schema
  if (values === undefined) return mostly(valid, ...wrong)
  return mostly(valid, [0.8, fc.constantFrom(...values.map(String))], ...wrong)
}
