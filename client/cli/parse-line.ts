import { parseArgs } from 'node:util'
import type { Command, Given } from './command.ts'
import { nearest, UsageError } from './usage-error.ts'

export interface ParsedLine {
  /** Null if the line names none. */
  readonly command: Command | null
  /** The words that were taken as the command's name. */
  readonly words: readonly string[]
  readonly rest: readonly string[]
}

/** Finds the command that a line names: the longest, so that `watch create` is not `watch`. */
export function findCommand(line: readonly string[], commands: readonly Command[]): ParsedLine {
  const end = line.findIndex((word) => word.startsWith('-'))
  const words = line.slice(0, Math.min(2, end < 0 ? line.length : end))
  for (let length = words.length; length > 0; length--) {
    const name = words.slice(0, length).join(' ')
    const command = commands.find((one) => one.name === name)
    if (command) return { command, words: words.slice(0, length), rest: line.slice(length) }
  }
  return { command: null, words, rest: line }
}

/** Reads the options and arguments of a command; throws a `UsageError` that says what is wrong. */
export function parseGiven(command: Command, rest: readonly string[]): Given {
  const options = Object.fromEntries(
    command.options.map(({ name, value, several, repeated }) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: several === true || repeated === true,
      },
    ]),
  )
  const { values, positionals, tokens } = parseArgs({
    args: [...rest],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const option = command.options.find(({ name }) => name === token.name)
    if (option === undefined) throw new UsageError(unknownOption(command, token.rawName))
    const isMissing = token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))
    if (option.value !== undefined && isMissing)
      throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${option.value}`)
    if (option.value === undefined && token.value !== undefined)
      throw new UsageError(`${token.rawName} takes no value.`)
    checkValue(option, token.value)
  }
  checkArgs(command, positionals)
  const listOf = (name: string) => [values[name] ?? []].flat().filter((value) => typeof value === 'string')
  return {
    args: positionals,
    text: (name) => listOf(name).at(-1),
    list: (name) => listOf(name).flatMap((value) => value.split(',')),
    each: listOf,
    has: (name) => values[name] !== undefined,
  }
}

function checkValue({ name, values, several }: Command['options'][number], text: string | undefined): void {
  if (values === undefined || text === undefined) return
  for (const value of several ? text.split(',') : [text]) {
    if (values.includes(value)) continue
    const near = nearest(value, values)
    throw new UsageError(
      `--${name} ${value} is unknown; ${near ? `did you mean ${near}?` : `it takes ${values.join(', ')}.`}`,
    )
  }
}

function checkArgs({ name, args }: Command, given: readonly string[]): void {
  const missing = args[given.length]
  if (missing?.startsWith('<')) throw new UsageError(`${missing} is missing: incidents ${name} ${args.join(' ')}`)
  if (given.length > args.length) throw new UsageError(`"${given[args.length]}" is not expected here.`)
}

function unknownOption({ name, options }: Command, given: string): string {
  const near = nearest(
    given.replace(/^-+/, ''),
    options.map((option) => option.name),
  )
  return `There is no option ${given}; ${near ? `did you mean --${near}?` : `see incidents ${name} --help`}`
}
