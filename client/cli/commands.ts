import type { Command } from './command.ts'
import { completion } from './commands/completion.ts'
import { get } from './commands/get.ts'
import { list } from './commands/list.ts'
import { listen } from './commands/listen.ts'
import { login, logout } from './commands/login.ts'
import { tail } from './commands/tail.ts'
import { trends } from './commands/trends.ts'
import { trigger } from './commands/trigger.ts'
import { WATCH_COMMANDS } from './commands/watch.ts'

export const COMMANDS: readonly Command[] = [
  login,
  logout,
  list,
  get,
  tail,
  trends,
  ...WATCH_COMMANDS,
  listen,
  trigger,
  completion(() => COMMANDS),
]
