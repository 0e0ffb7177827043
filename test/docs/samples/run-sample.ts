import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SampleLanguage } from '../../../src/lib/code-samples.ts'

const run = promisify(execFile)

/**
 * The program that runs a language, how it shows its version, and the file that the sample is in.
 */
const PROGRAMS: Readonly<Record<SampleLanguage, { program: string; version: string; file: string; before: string[] }>> =
  {
    curl: { program: 'sh', version: '-c', file: 'sample.sh', before: [] },
    javascript: { program: process.execPath, version: '--version', file: 'sample.mjs', before: [] },
    python: { program: 'python3', version: '--version', file: 'sample.py', before: [] },
    php: { program: 'php', version: '--version', file: 'sample.php', before: [] },
    go: { program: 'go', version: 'version', file: 'sample.go', before: ['run'] },
  }

/** Why the samples of a language cannot run here, or false. */
export function missing(language: SampleLanguage): string | false {
  const { program, version } = PROGRAMS[language]
  try {
    if (language === 'curl') execFileSync('curl', ['--version'], { stdio: 'ignore' })
    else execFileSync(program, [version], { stdio: 'ignore' })
    return false
  } catch {
    return `${language === 'curl' ? 'curl' : program} is not installed here: its samples are not run`
  }
}

/** A folder with the sample, and the command that runs it as it is printed. */
export interface PreparedSample extends AsyncDisposable {
  readonly folder: string
  readonly program: string
  readonly options: readonly string[]
  readonly environment: NodeJS.ProcessEnv
}

export async function prepareSample(
  language: SampleLanguage,
  text: string,
  variables: Readonly<Record<string, string>>,
): Promise<PreparedSample> {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'))
  const { program, file, before } = PROGRAMS[language]
  await writeFile(join(folder, file), text)
  // Read by curl itself: the sample stays as it is printed, and the status is seen.
  await writeFile(join(folder, '.curlrc'), 'silent\nwrite-out = "\\n%{http_code}\\n"\n')
  return {
    folder,
    program,
    options: [...before, file],
    environment: { ...process.env, CURL_HOME: folder, ...variables },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Runs a sample to its end; throws if it fails. */
export async function runSample(
  language: SampleLanguage,
  text: string,
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly output: string }> {
  await using prepared = await prepareSample(language, text, variables)
  const { folder, program, options, environment } = prepared
  const { stdout } = await run(program, [...options], { cwd: folder, env: environment, maxBuffer: 64 * 1024 * 1024 })
  const shown = language === 'curl' ? /\n(\d{3})\n$/.exec(stdout) : /^(?:HTTP\/1\.1 )?(\d{3})\b/.exec(stdout)
  return { status: Number(shown?.[1] ?? 0), output: language === 'curl' ? stdout.replace(/\n\d{3}\n$/, '') : stdout }
}

/** Runs a sample that does not end until its output has the text, then ends it. */
export async function runUntil(
  language: SampleLanguage,
  text: string,
  variables: Readonly<Record<string, string>>,
  wanted: RegExp,
): Promise<string> {
  await using prepared = await prepareSample(language, text, variables)
  const { folder, program, options, environment } = prepared
  const child = spawn(program, [...options], { cwd: folder, env: environment, detached: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      let output = ''
      let errors = ''
      child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk.toString()
      })
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (wanted.test(output)) resolve(output)
      })
      child.on('close', (code) => reject(new Error(`the sample ended with ${code}: ${output}${errors}`)))
    })
  } finally {
    // The whole group: `sh` and `go run` start the program that holds the connection.
    process.kill(-child.pid!, 'SIGKILL')
  }
}
