import type { Command, Option } from '../command.ts'
import { groupsOf } from './words.ts'

export function zshScript(commands: readonly Command[]): string {
  const groups = groupsOf(commands)
  const singles = commands.filter(({ name }) => !name.includes(' '))
  const described = (list: readonly (readonly [string, string])[]) =>
    list.map(([name, about]) => `'${name}:${quoted(about)}'`).join(' ')
  const first = [
    ...singles.map(({ name, about }) => [name, about] as const),
    ...groups.map((name) => [name, `Commands of ${name}`] as const),
  ]
  const cases = commands.map(
    (command) =>
      `    '${command.name}') _arguments ${[...command.options.map(argument), "'--help[Show this help]'"].join(' ')} ;;`,
  )
  const followers = groups.map((group) => {
    const own = commands.flatMap(({ name, about }) =>
      name.startsWith(`${group} `) ? [[name.slice(group.length + 1), about] as const] : [],
    )
    return `    '${group}') local -a following=(${described(own)}); _describe command following ;;`
  })
  return `#compdef incidents
# zsh completion of incidents
_incidents() {
  local command=$words[2]
  if (( CURRENT == 2 )); then
    local -a first=(${described(first)})
    _describe command first
    return
  fi
  if [[ " ${groups.join(' ')} " == *" $command "* ]] && (( CURRENT > 3 )); then command="$command $words[3]"; fi
  case $command in
${[...followers, ...cases].join('\n')}
  esac
}
compdef _incidents incidents
`
}

function argument({ name, about, value, values, several }: Option): string {
  const allowed = values ? `(${values.join(' ')})` : ''
  return `'${several ? '*' : ''}--${name}[${quoted(about)}]${value === undefined ? '' : `:${quoted(value)}:${allowed}`}'`
}

function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&')
}
