import { existsSync, statSync } from 'node:fs'
import type { Config } from '../../../config/settings.ts'
import { isPostgres, sqlitePathOf } from '../../../store/open.ts'
import { type KeysInUse, keysInUse } from '../../../store/secrets/encrypt-stored.ts'
import { keyFileOf } from '../../../store/secrets/key-file.ts'
import { knownKeys } from '../../../store/secrets/known-keys.ts'
import { SecretKeys } from '../../../store/secrets/secret-keys.ts'
import { type Store, StoreUnusable } from '../../../store/store.ts'
import { type Finding, failed, ok, warning } from '../finding.ts'

export interface SecretsState {
  /** Ids of the keys at hand, the one that encrypts first. */
  readonly known: readonly string[]
  /** How many of them come from SECRETS_KEY. */
  readonly fromSetting: number
  readonly needsSetting: boolean
  /** The path and mode of the key file, if there is one. */
  readonly file: { readonly path: string; readonly mode: number } | null
  /** Null if the database could not be read. */
  readonly used: KeysInUse | null
}

/** Compares the keys at hand with those that the database's secrets are encrypted with. */
export async function checkSecrets(config: Config, store: Store | null): Promise<Finding[]> {
  const { DATABASE_URL: url, SECRETS_KEY: given } = config
  try {
    const bytes = knownKeys(url, given, () => {}, { leaveMode: true })
    return judgeSecrets({
      known: bytes.map((key) => new SecretKeys([key]).current.id),
      fromSetting: given?.length ?? 0,
      needsSetting: isPostgres(url),
      file: keyFileState(url),
      used: store && (await keysInUse(store)),
    })
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error
    return [failed(error.message, 'Give the file to the user of the service, or put it back from where you keep it.')]
  }
}

function keyFileState(url: string): SecretsState['file'] {
  if (isPostgres(url)) return null
  const path = keyFileOf(sqlitePathOf(url))
  return existsSync(path) ? { path, mode: statSync(path).mode & 0o777 } : null
}

export function judgeSecrets({ known, fromSetting, needsSetting, file, used }: SecretsState): Finding[] {
  if (needsSetting && fromSetting === 0)
    return [
      failed(
        'SECRETS_KEY is not set, and PostgreSQL needs it',
        'Generate one with openssl rand -base64 32, set it on every node, and keep a copy apart from the backups.',
      ),
    ]
  const findings: Finding[] = []
  const missing = used === null ? [] : [...used.ids].filter((id) => !known.includes(id))
  if (missing.length > 0)
    findings.push(
      failed(
        `Secrets of watches are encrypted with a key that is not here (${missing.join(', ')})`,
        `Give it in SECRETS_KEY, after the current one${needsSetting ? '' : ', or put back the key file'}. If it is lost: incident-feed secrets replace-lost`,
      ),
    )
  else if (known.length === 0) findings.push(ok('The first start creates a key file beside the database'))
  else {
    const source = fromSetting > 0 ? 'SECRETS_KEY' : file!.path
    findings.push(ok(`The key ${known[0]} from ${source}${used === null ? '' : ' reads all stored secrets'}`))
  }
  if (used?.hasPlain)
    findings.push(warning('Some secrets of watches are not encrypted', 'The next start of the service encrypts them.'))
  const outdated = used === null ? [] : [...used.ids].filter((id) => id !== known[0] && known.includes(id))
  if (outdated.length > 0)
    findings.push(
      warning(
        `Some secrets are encrypted with an older key (${outdated.join(', ')})`,
        'The next start encrypts them with the first key of SECRETS_KEY; keep the older one until then.',
      ),
    )
  if (file !== null && (file.mode & 0o077) !== 0)
    findings.push(warning(`Other users can read ${file.path}`, `Run: chmod 600 ${file.path}`))
  return findings
}
