import { type RunningCommand, startCommand } from '../../test/support/commands.ts'
import { TEST_SECRETS_KEY } from '../../test/support/databases/stores.ts'

/** The service as a separate process, which can be killed and restarted on the same database. */
export class Service implements AsyncDisposable {
  readonly #environment: Record<string, string>
  readonly #port: number
  #main: string | undefined
  #process: RunningCommand

  /**
   * Port 0 chooses a free one, another at each start. `main`: the script of another release.
   */
  constructor(environment: Record<string, string>, port = 0, main?: string) {
    this.#environment = environment
    this.#port = port
    this.#main = main
    this.#process = this.#start()
  }

  /** Null until the service listens. */
  get url(): string | null {
    return /Server listening at (http:[^"]+)/.exec(this.#process.output())?.[1] ?? null
  }

  get pid(): number {
    return this.#process.child.pid!
  }

  /** Everything printed since the last start. */
  get output(): string {
    return this.#process.output()
  }

  /** Kills the process with SIGKILL, so it cannot write anything more, and starts another. */
  async killAndRestart(): Promise<void> {
    await this.kill()
    this.restart()
  }

  /** Kills the process with SIGKILL and waits until it is gone. */
  async kill(): Promise<void> {
    this.#process.child.kill('SIGKILL')
    await this.#process.ended
  }

  /** Stops the process with SIGTERM and returns its exit code. */
  terminate(): Promise<number | null> {
    this.#process.child.kill('SIGTERM')
    return this.#process.ended
  }

  /** Stops the process in the middle of whatever it is doing, with all its connections open. */
  freeze(): void {
    this.#process.child.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process.child.kill('SIGCONT')
  }

  /** Starts another process after `kill` or `terminate`; of another release, if one is given. */
  restart(main = this.#main): void {
    this.#main = main
    this.#process = this.#start()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.child.kill('SIGKILL')
    await this.#process.ended
  }

  /** Throws if the process has exited by itself: no fault injected here may cause that. */
  check(): void {
    const { child, output } = this.#process
    if (child.exitCode !== null) throw new Error(`the service exited with code ${child.exitCode}:\n${output()}`)
  }

  #start(): RunningCommand {
    const environment = { SECRETS_KEY: TEST_SECRETS_KEY, ...this.#environment }
    return startCommand(['serve', '--port', String(this.#port)], environment, null, {}, this.#main)
  }
}
