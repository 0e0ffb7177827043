import { type Run, run } from '../../test/support/command.ts'

/** The service as a process of its own, that is killed and started again on the same database. */
export class Service implements AsyncDisposable {
  readonly #environment: Record<string, string>
  #running: Run

  constructor(environment: Record<string, string>) {
    this.#environment = environment
    this.#running = this.#start()
  }

  /** Null until it listens. */
  get url(): string | null {
    return /Server listening at (http:[^"]+)/.exec(this.#running.output())?.[1] ?? null
  }

  /** The process's number. */
  get pid(): number {
    return this.#running.child.pid!
  }

  /** Everything printed since it was last started. */
  get output(): string {
    return this.#running.output()
  }

  /** It has no chance to say or write anything more. */
  async killAndRestart(): Promise<void> {
    this.#running.child.kill('SIGKILL')
    await this.#running.ended
    this.#running = this.#start()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#running.child.kill('SIGKILL')
    await this.#running.ended
  }

  /** Throws where it has ended by itself: nothing that happens here is a reason to. */
  check(): void {
    const { child, output } = this.#running
    if (child.exitCode !== null) throw new Error(`the service ended by itself with ${child.exitCode}:\n${output()}`)
  }

  #start(): Run {
    return run(['serve', '--port', '0'], this.#environment)
  }
}
