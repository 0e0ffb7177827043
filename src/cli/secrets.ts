import { readConfig } from '../config/read-config.ts'
import { ConfigError } from '../config/setting-kinds.ts'
import { newSecret } from '../deliveries/send/signature.ts'
import { randomBytes } from '../lib/runtime.ts'
import { replaceLostSecrets } from '../store/secrets/stored-secrets.ts'
import { DATABASE_OPTION, databaseUrlFrom, parseOptions, requireDatabase } from './arguments.ts'
import type { Terminal } from './terminal.ts'

const USAGE = 'incident-feed secrets replace-lost [--database-url …]'

/** For one watch and for several. */
const MESSAGES = {
  secret: [
    'watch has a new secret. Its owner gets one that can be seen from POST /v1/watches/{id}/rotate-secret.',
    'watches have a new secret. Their owners get one that they can see from POST /v1/watches/{id}/rotate-secret.',
  ],
  address: [
    'watch has lost the address that its messages go to, and is switched off; its channel is named after it. Its owner gives the address again with PATCH /v1/watches/{id} {"channel": …, "status": "active"}.',
    'watches have lost the addresses that their messages go to, and are switched off; their channels are named after them. Their owners give the addresses again with PATCH /v1/watches/{id} {"channel": …, "status": "active"}.',
  ],
  headers: [
    'watch has lost headers, which are named after it. Its owner sets them again with PATCH /v1/watches/{id} {"headers": …}.',
    'watches have lost headers, which are named after them. Their owners set them again with PATCH /v1/watches/{id} {"headers": …}.',
  ],
} as const

/**
 * For an operator whose SECRETS_KEY is lost for good. Prints each watch with the names of the
 * headers that it lost.
 */
export async function secretsCommand([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  if (action !== 'replace-lost') throw new ConfigError(`the action of secrets is replace-lost\n\n${USAGE}`)
  const values = parseOptions(args, DATABASE_OPTION, USAGE)
  const { SECRETS_KEY: keys } = readConfig({ SECRETS_KEY: terminal.env.SECRETS_KEY }, [])
  const databaseUrl = databaseUrlFrom(values, terminal)
  await requireDatabase(databaseUrl)
  const replaced = await replaceLostSecrets(databaseUrl, keys, () => newSecret(randomBytes), Date.now())
  for (const { watchId, channel, lostAddress, headers } of replaced)
    terminal.print([watchId, ...(lostAddress ? [`(${channel})`] : headers)].join(' '))
  if (replaced.length === 0) terminal.printError('No watch has lost its secret or a header.')
  printCount(terminal, 'secret', replaced.filter(({ hasNewSecret }) => hasNewSecret).length)
  printCount(terminal, 'address', replaced.filter(({ lostAddress }) => lostAddress).length)
  printCount(terminal, 'headers', replaced.filter(({ headers }) => headers.length > 0).length)
}

function printCount(terminal: Terminal, lost: keyof typeof MESSAGES, count: number): void {
  if (count > 0) terminal.printError(`${count} ${MESSAGES[lost][count === 1 ? 0 : 1]}`)
}
