import type { Command } from '../command.ts'
import { groupsOf, optionsOf, wordsAfter } from './words.ts'

export function bashScript(commands: readonly Command[]): string {
  const groups = groupsOf(commands)
  const options = commands.map((command) => `    "${command.name}") words="${optionsOf(command).join(' ')}" ;;`)
  const values = commands.flatMap(({ name, options: all }) =>
    all.flatMap((option) =>
      option.values ? [`    "${name} --${option.name}") words="${option.values.join(' ')}" ;;`] : [],
    ),
  )
  const followers = groups.map((group) => `    "${group}") words="${wordsAfter(commands, group).join(' ')}" ;;`)
  return `# bash completion of incidents
_incidents() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  local command="\${COMP_WORDS[1]}"
  case " ${groups.join(' ')} " in *" $command "*) (( COMP_CWORD > 2 )) && command="$command \${COMP_WORDS[2]}" ;; esac
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=( $(compgen -W "${wordsAfter(commands, null).join(' ')} --help --version" -- "$word") )
    return
  fi
  case "$command $before" in
${values.join('\n')}
  esac
  if [[ -z $words ]]; then case "$command" in
${[...followers, ...options].join('\n')}
  esac; fi
  COMPREPLY=( $(compgen -W "$words" -- "$word") )
}
complete -F _incidents incidents
`
}
