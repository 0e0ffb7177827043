import type { Command } from '../command.ts'
import { groupsOf } from './words.ts'

export function fishScript(commands: readonly Command[]): string {
  const groups = groupsOf(commands)
  const lines = commands.flatMap((command) => {
    const words = command.name.split(' ')
    const isFirst = words.length === 1
    const offered = isFirst
      ? `complete -c incidents -n __fish_use_subcommand -a ${words[0]} -d ${quoted(command.about)}`
      : `complete -c incidents -n ${quoted(`__fish_seen_subcommand_from ${words[0]}`)} -a ${words[1]} -d ${quoted(command.about)}`
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
    const options = command.options.map(({ name, about, value, values }) => {
      const takes = value === undefined ? '' : ` -x${values ? ` -a ${quoted(values.join(' '))}` : ''}`
      return `complete -c incidents -n ${quoted(seen)} -l ${name}${takes} -d ${quoted(about)}`
    })
    return [offered, ...options]
  })
  const grouped = groups.map((group) => `complete -c incidents -n __fish_use_subcommand -a ${group}`)
  return `# fish completion of incidents\ncomplete -c incidents -f\n${[...grouped, ...lines].join('\n')}\n`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
