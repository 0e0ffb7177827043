import { EXIT, type World } from './command.ts'
import { COMMANDS } from './commands.ts'
import { explainError } from './explain-error.ts'
import { helpOf, overview } from './help.ts'
import { say, write } from './output/print.ts'
import { findCommand, parseGiven } from './parse-line.ts'
import { nearest } from './usage-error.ts'

/** Runs one command line and returns its exit code. */
export async function run(line: readonly string[], world: World, version: string): Promise<number> {
  const { command, words, rest } = findCommand(line, COMMANDS)
  try {
    if (command === null) return await withoutCommand(line, words, world, version)
    if (rest.includes('--help')) {
      await write(world.stdout, helpOf(command))
      return EXIT.done
    }
    return (await command.run(world, parseGiven(command, rest))) ?? EXIT.done
  } catch (error) {
    return explain(error, world)
  }
}

async function withoutCommand(
  line: readonly string[],
  words: readonly string[],
  world: World,
  version: string,
): Promise<number> {
  if (line[0] === '--version') {
    await write(world.stdout, `${version}\n`)
    return EXIT.done
  }
  const group = words.slice(0, 1).filter((word) => COMMANDS.some(({ name }) => name.startsWith(`${word} `)))
  const text = overview(COMMANDS, group)
  if (line.includes('--help') || line[0] === 'help') {
    await write(world.stdout, text)
    return EXIT.done
  }
  if (words.length === group.length) await say(world, text)
  else {
    const name = words.join(' ')
    const near = nearest(
      name,
      COMMANDS.map((command) => command.name),
    )
    await say(
      world,
      near === null
        ? `There is no command "${name}".\n\n${text}`
        : `There is no command "${name}"; did you mean ${near}?`,
    )
  }
  return EXIT.usage
}

async function explain(error: unknown, world: World): Promise<number> {
  if (world.signal.aborted) return EXIT.interrupted
  // The reader of the pipe has seen enough, as in `incidents list | head`.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return EXIT.done
  const explained = explainError(error)
  if (explained === null) throw error
  await say(world, `error: ${explained.text}`)
  return explained.code
}
