import { readFileSync, statSync } from 'node:fs'
import { SettingError } from './setting-kinds.ts'
import { SETTINGS } from './settings.ts'

/** Every command reads this file if it is there. */
const DEFAULT_FILE = '/etc/incident-feed/settings'
const NO_FILE = 'none'
const FLAG = '--settings-file'
export const FILE_VARIABLE = 'INCIDENT_FEED_SETTINGS'

export type Environment = Readonly<Record<string, string | undefined>>
type OnWarning = (message: string) => void

/** Takes `--settings-file FILE` out of a command's words, wherever it stands. */
export function takeSettingsFile(words: readonly string[]): { file: string | null; words: readonly string[] } {
  const at = words.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`))
  if (at === -1) return { file: null, words }
  const isSeparate = words[at] === FLAG
  const file = isSeparate ? words[at + 1] : words[at]!.slice(FLAG.length + 1)
  if (!file) throw new SettingError(`${FLAG} takes the file with the settings of the service, or none`)
  return { file, words: words.toSpliced(at, isSeparate ? 2 : 1) }
}

/** The settings of the environment before those of the file, each with its secrets from files. */
export function readEnvironment(environment: Environment, given: string | null, onWarning: OnWarning) {
  const named = given ?? (environment[FILE_VARIABLE] || null)
  const inFile = named === NO_FILE ? {} : readFile(named ?? DEFAULT_FILE, named !== null)
  const merged = Object.entries(withSecretFiles(environment, onWarning)).filter(([, value]) => value !== '')
  return {
    environment: { ...withSecretFiles(inFile, onWarning), ...Object.fromEntries(merged) },
    fileNames: Object.keys(inFile),
  }
}

function readFile(path: string, isWanted: boolean): Record<string, string> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !isWanted) return {}
    throw new SettingError(
      `the settings in ${path} cannot be read (${code}); run the command as the user of the service, or name another file in ${FLAG} or ${FILE_VARIABLE}, none to read none`,
    )
  }
  return parseSettings(text, path)
}

const SUFFIX = '_FILE'

/**
 * Replaces `DATABASE_URL_FILE`, and the like of other secrets, by `DATABASE_URL` with the content
 * of the file.
 */
export function withSecretFiles(given: Environment, onWarning: OnWarning): Environment {
  const read: Record<string, string | undefined> = { ...given }
  for (const setting of Object.keys(SETTINGS)) {
    const name = setting.slice(0, -SUFFIX.length)
    if (!setting.endsWith(SUFFIX) || !Object.hasOwn(SETTINGS, name)) continue
    const path = given[setting]
    delete read[setting]
    if (!path) continue
    if (given[name]) throw new SettingError(`${name} and ${setting} are both set; keep one of them`)
    try {
      read[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
      if ((statSync(path).mode & 0o004) !== 0)
        onWarning(`every user of this machine can read ${path}, the file of ${setting}; run: chmod o-r ${path}`)
    } catch (error) {
      throw new SettingError(
        `${setting}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}); name a file that this user may read`,
      )
    }
    if (read[name] === '') throw new SettingError(`${setting}: ${path} is empty; write the value of ${name} into it`)
  }
  return read
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
/** A backslash before another character stays within double quotes. */
const ESCAPED_IN_QUOTES = /["\\`$]/

/**
 * Reads what systemd reads as an EnvironmentFile: `NAME=value` lines, comments that begin with `#`
 * or `;`, values in single or double quotes, and lines that go on after a backslash.
 */
export function parseSettings(text: string, file: string): Record<string, string> {
  const read: Record<string, string> = {}
  let line = 1
  for (let at = 0; at < text.length; ) {
    const begin = text.slice(at).search(/\S/)
    if (begin === -1) break
    line += text.slice(at, at + begin).split('\n').length - 1
    at += begin
    if (text[at] === '#' || text[at] === ';') {
      const end = text.indexOf('\n', at)
      if (end === -1) break
      at = end
      continue
    }
    const name = /^[^=\n]*/.exec(text.slice(at))![0]
    at += name.length
    if (text[at] !== '=' || !NAME.test(name.trim()))
      throw new SettingError(`${file}, line ${line}: a setting is written NAME=value, a comment begins with #`)
    const { value, end } = valueAt(text, at + 1)
    if (end === null) throw new SettingError(`${file}, line ${line}: the quotes of ${name.trim()} are not closed`)
    read[name.trim()] = value
    line += text.slice(at, end).split('\n').length - 1
    at = end
  }
  return read
}

function valueAt(text: string, begin: number): { value: string; end: number | null } {
  let value = ''
  /** Spaces before it are part of the value. */
  let quotedUntil = 0
  let quote: string | null = null
  let at = begin + /^[ \t]*/.exec(text.slice(begin))![0].length
  for (; at < text.length; at++) {
    const character = text[at]!
    const next = text[at + 1]
    if (quote === null && character === '\n') break
    if (character === '\\' && quote !== "'" && next !== undefined) {
      at++
      if (next === '\n') continue
      value += quote === '"' && !ESCAPED_IN_QUOTES.test(next) ? `\\${next}` : next
    } else if (character === quote) {
      quote = null
      quotedUntil = value.length
    } else if (quote === null && (character === '"' || character === "'")) {
      quote = character
      // Spaces may follow the quotes, or stand between two.
    } else value += character
  }
  if (quote !== null) return { value, end: null }
  const kept = value.slice(0, quotedUntil)
  return { value: kept + value.slice(quotedUntil).trimEnd(), end: at }
}
