import type { Json } from './sample-request.ts'

/** How a language writes values. */
export interface LiteralRules {
  readonly text: (text: string) => string
  readonly key: (name: string) => string
  readonly object: readonly [string, string]
  readonly list: readonly [string, string]
  /** What true, false and null are called. */
  readonly words: readonly [string, string, string]
  readonly indent: string
  /** Spaces inside the braces of an object on one line. */
  readonly padding: '' | ' '
}

const LONGEST_LINE = 72

/** Writes a value as a literal: on one line if it fits, else one line for each member. */
export function literal(value: Json, rules: LiteralRules, depth = 0): string {
  if (typeof value === 'string') return rules.text(value)
  if (typeof value === 'number') return String(value)
  if (value === null) return rules.words[2]
  if (typeof value === 'boolean') return rules.words[value ? 0 : 1]
  const isList = Array.isArray(value)
  const [open, close] = isList ? rules.list : rules.object
  const members = isList
    ? value.map((each) => literal(each as Json, rules, depth + 1))
    : Object.entries(value as { readonly [name: string]: Json }).map(
        ([name, each]) => rules.key(name) + literal(each, rules, depth + 1),
      )
  if (members.length === 0) return open + close
  const padding = isList ? '' : rules.padding
  const line = open + padding + members.join(', ') + padding + close
  if (line.length + depth * rules.indent.length <= LONGEST_LINE && !line.includes('\n')) return line
  const inner = rules.indent.repeat(depth + 1)
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${rules.indent.repeat(depth)}${close}`
}
