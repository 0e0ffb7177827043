import { constants, copyFileSync, existsSync, readFileSync } from 'node:fs'
import { isPostgres, sqlitePathOf } from '../open.ts'
import { keyFileOf } from '../secrets/key-file.ts'

/**
 * The key that encrypts the secrets of watches is in no database. Copies its file to the new place
 * if that is a file too. Returns what an operator has to do.
 */
export function moveSecretsKey(from: string, to: string): string {
  const file = isPostgres(from) ? null : keyFileOf(sqlitePathOf(from))
  if (file === null || !existsSync(file)) return 'SECRETS_KEY stays as it was: the target needs the same.'
  if (isPostgres(to))
    return `The key of the webhook secrets is in ${file}: set SECRETS_KEY to its content on every node (after a comma if SECRETS_KEY was set already).`
  const target = keyFileOf(sqlitePathOf(to))
  if (!existsSync(target)) copyFileSync(file, target, constants.COPYFILE_EXCL)
  else if (!readFileSync(target).equals(readFileSync(file)))
    return `${target} is another key than ${file}: put a copy of ${file} in its place before you start the service.`
  return `The key of the webhook secrets is in ${target}.`
}
