import type { Command } from '../command.ts'

/** The words that may follow `incidents`, or `incidents watch`. */
export function wordsAfter(commands: readonly Command[], first: string | null): string[] {
  const words = commands.map(({ name }) => name.split(' '))
  const following = first === null ? words : words.filter(([word]) => word === first).map((parts) => parts.slice(1))
  return [...new Set(following.flatMap(([word]) => word ?? []))]
}

/** The first words of commands that have two. */
export function groupsOf(commands: readonly Command[]): string[] {
  return [...new Set(commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0]!] : [])))]
}

export function optionsOf({ options }: Command): string[] {
  return [...options.map(({ name }) => `--${name}`), '--help']
}
