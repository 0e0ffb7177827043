import type { Command } from '../command.ts'
import { completionScript, SHELLS, type Shell } from '../completion/completion.ts'
import { write } from '../output/print.ts'
import { UsageError } from '../usage-error.ts'

/** `commands` is called when it runs: the list includes this command. */
export const completion = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  about: 'Print the completion of a shell',
  args: ['<shell>'],
  options: [],
  details: `Shells: ${SHELLS.join(', ')}.
bash  echo 'source <(incidents completion bash)' >> ~/.bashrc
zsh   incidents completion zsh > ~/.zfunc/_incidents, with fpath+=~/.zfunc before compinit
fish  incidents completion fish > ~/.config/fish/completions/incidents.fish`,
  async run(world, given) {
    const shell = given.args[0]!
    if (!SHELLS.includes(shell as Shell)) throw new UsageError(`"${shell}" is unknown; there are ${SHELLS.join(', ')}.`)
    await write(world.stdout, completionScript(shell as Shell, commands()))
    return undefined
  },
})
