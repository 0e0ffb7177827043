import { randomBytes } from 'node:crypto'
import { readConfig } from '../config/read-config.ts'
import { ConfigError } from '../config/setting-kinds.ts'
import { newSecret } from '../deliveries/send/signature.ts'
import { replaceLostSecrets } from '../store/secrets/replace-lost.ts'
import { databaseUrlFrom, parseOptions } from './parse-options.ts'

const USAGE = 'incident-feed secrets replace-lost [--database-url …]'

/**
 * For an operator whose SECRETS_KEY is lost for good. Prints each watch with the names of the
 * headers that it lost.
 */
export async function secretsCommand([action, ...args]: readonly string[]): Promise<void> {
  if (action !== 'replace-lost') throw new ConfigError(`the action of secrets is replace-lost\n\n${USAGE}`)
  const { values } = parseOptions({ args: [...args], options: { 'database-url': { type: 'string' } } }, USAGE)
  const { SECRETS_KEY: keys } = readConfig({ SECRETS_KEY: process.env.SECRETS_KEY }, [])
  const replaced = await replaceLostSecrets(
    databaseUrlFrom(values['database-url']),
    keys,
    () => newSecret(randomBytes),
    Date.now(),
  )
  for (const { watchId, channel, lostAddress, headers } of replaced)
    console.log([watchId, ...(lostAddress ? [`(${channel})`] : headers)].join(' '))
  const renewed = replaced.filter(({ hasNewSecret }) => hasNewSecret).length
  const withoutAddress = replaced.filter(({ lostAddress }) => lostAddress).length
  const withoutHeaders = replaced.filter(({ headers }) => headers.length > 0).length
  if (replaced.length === 0) console.error('No watch has lost its secret or a header.')
  if (renewed > 0) console.error(SECRETS[renewed === 1 ? 'one' : 'several'](renewed))
  if (withoutAddress > 0) console.error(ADDRESSES[withoutAddress === 1 ? 'one' : 'several'](withoutAddress))
  if (withoutHeaders > 0) console.error(HEADERS[withoutHeaders === 1 ? 'one' : 'several'](withoutHeaders))
}

const SECRETS = {
  one: (count: number) =>
    `${count} watch has a new secret. Its owner gets one that can be seen from POST /v1/watches/{id}/rotate-secret.`,
  several: (count: number) =>
    `${count} watches have a new secret. Their owners get one that they can see from POST /v1/watches/{id}/rotate-secret.`,
}
const ADDRESSES = {
  one: (count: number) =>
    `${count} watch has lost the address that its messages go to, and is switched off; its channel is named after it. Its owner gives the address again with PATCH /v1/watches/{id} {"channel": …, "status": "active"}.`,
  several: (count: number) =>
    `${count} watches have lost the addresses that their messages go to, and are switched off; their channels are named after them. Their owners give the addresses again with PATCH /v1/watches/{id} {"channel": …, "status": "active"}.`,
}
const HEADERS = {
  one: (count: number) =>
    `${count} watch has lost headers, which are named after it. Its owner sets them again with PATCH /v1/watches/{id} {"headers": …}.`,
  several: (count: number) =>
    `${count} watches have lost headers, which are named after them. Their owners set them again with PATCH /v1/watches/{id} {"headers": …}.`,
}
