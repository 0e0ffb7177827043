import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

/** What a server in a process of its own can be asked over the channel between the two. */
export interface Questions {
  /**
   * How much processor time the process has used, all threads together, how long its main thread was busy, and its resident
   * memory in bytes.
   */
  usage: { asked: null; answered: { cpu: number; busy: number; resident: number } }
  /** What the bare routes answer, by path and query; one alone is answered whatever is asked. */
  serve: { asked: ReadonlyMap<string, Uint8Array>; answered: null }
  /** Whether incidents arrive, one a second. */
  arrivals: { asked: boolean; answered: null }
  /** Publishes so many incidents together. */
  publishMany: { asked: number; answered: null }
  /** How many deliveries are not finished, counted up to 10,000. */
  pending: { asked: null; answered: number }
  /** What the endpoints have got since they were last asked, and when each message's first bytes came. */
  received: { asked: null; answered: [incident: string, at: number][] }
  receivedCount: { asked: null; answered: number }
  /** Saves one incident; answers when it began to. */
  publish: { asked: null; answered: { at: number } }
  /** Opens streams, one for each path, and waits until all are answered. */
  openStreams: { asked: { url: string; key: string; paths: readonly string[] }; answered: null }
  /** How many streams the next event is going to reach. */
  expectEvent: { asked: number; answered: null }
  /** When the event reached each of them; waits for the last. */
  reachedAt: { asked: null; answered: readonly number[] }
}

export interface Child<Hello> extends AsyncDisposable {
  /** What it said once it was ready. */
  readonly hello: Hello
  ask<Name extends keyof Questions>(name: Name, asked: Questions[Name]['asked']): Promise<Questions[Name]['answered']>
}

/** Starts `bench/<file>` and waits for its first message. */
export async function startChild<Hello>(file: string, words: readonly string[]): Promise<Child<Hello>> {
  const child = fork(fileURLToPath(new URL(`../${file}`, import.meta.url)), words, { serialization: 'advanced' })
  const hello = await nextMessage<Hello>(child, file)
  return {
    hello,
    async ask(name, asked) {
      child.send({ name, asked })
      return nextMessage(child, file)
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}

async function nextMessage<Message>(child: ChildProcess, file: string): Promise<Message> {
  const stop = new AbortController()
  const died = once(child, 'exit', { signal: stop.signal }).then(([code, signal]) => {
    throw new Error(`${file} ended before it answered: ${signal ?? code}`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: stop.signal }), died])
    return message as Message
  } finally {
    died.catch(() => {})
    stop.abort()
  }
}

type Handlers = {
  readonly [Name in keyof Questions]?: (
    asked: Questions[Name]['asked'],
  ) => Questions[Name]['answered'] | Promise<Questions[Name]['answered']>
}

/** The child's side: says hello, then answers questions, one at a time. */
export function answerParent(hello: unknown, handlers: Handlers): void {
  const all: Handlers = {
    usage: usageOfThis,
    ...handlers,
  }
  process.on('message', async ({ name, asked }: { name: keyof Questions; asked: never }) => {
    process.send!(await all[name]!(asked))
  })
  process.send!(hello)
}

export function usageOfThis(): Questions['usage']['answered'] {
  return { cpu: cpuMicroseconds(), busy: busyMicroseconds(), resident: process.memoryUsage.rss() }
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

function busyMicroseconds(): number {
  return performance.eventLoopUtilization().active * 1000
}
