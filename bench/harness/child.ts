import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import type { LongestTurn } from '../hostile/longest-turn.ts'

/** The calls that a server in a child process may handle, over the channel between the two. */
export interface ChildCalls {
  /**
   * Returns the processor time of all threads and the busy time of the main thread, both in
   * microseconds, and the resident memory in bytes.
   */
  usage: { asked: null; answered: { cpu: number; busy: number; resident: number } }
  /**
   * Sets the bodies of the bare routes by path and query; a single one is returned for every path.
   */
  serve: { asked: ReadonlyMap<string, Uint8Array>; answered: null }
  /** Returns the longest turn of the event loop since the last call; the first call starts it. */
  longestTurn: { asked: null | 'and stop'; answered: LongestTurn }
  /** Starts or stops arrivals of one incident per second. */
  arrivals: { asked: boolean; answered: null }
  /** Publishes this many incidents in one transaction. */
  publishMany: { asked: number; answered: null }
  /** Returns the number of unfinished deliveries, up to 10,000. */
  pending: { asked: null; answered: number }
  /** Returns the messages since the last call, with the arrival times of their first bytes. */
  received: { asked: null; answered: [incident: string, at: number][] }
  receivedCount: { asked: null; answered: number }
  /** Saves one incident; returns the time just before. */
  publish: { asked: null; answered: { at: number } }
  /** Opens a stream for each path and waits until all have a response. */
  openStreams: { asked: { url: string; key: string; paths: readonly string[] }; answered: null }
  /** Sets the number of streams that the next event will reach. */
  expectEvent: { asked: number; answered: null }
  /** Waits until the event has reached all of them and returns the times. */
  reachedAt: { asked: null; answered: readonly number[] }
}

export interface Child<Hello> extends AsyncDisposable {
  /** The first message of the child, sent when it is ready. */
  readonly hello: Hello
  readonly pid: number
  ask<Name extends keyof ChildCalls>(
    name: Name,
    asked: ChildCalls[Name]['asked'],
  ): Promise<ChildCalls[Name]['answered']>
}

const BENCH = new URL('../', import.meta.url)

/** Starts `bench/<file>`, of this checkout or of another, and waits for its first message. */
export async function startChild<Hello>(file: string, words: readonly string[], bench = BENCH): Promise<Child<Hello>> {
  const child = fork(fileURLToPath(new URL(file, bench)), words, { serialization: 'advanced' })
  const hello = await nextMessage<Hello>(child, file)
  return {
    hello,
    pid: child.pid!,
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
    throw new Error(`${file} exited before it answered: ${signal ?? code}`)
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
  readonly [Name in keyof ChildCalls]?: (
    asked: ChildCalls[Name]['asked'],
  ) => ChildCalls[Name]['answered'] | Promise<ChildCalls[Name]['answered']>
}

/** Runs in the child: sends `hello`, then answers calls, one at a time. */
export function answerParent(hello: unknown, handlers: Handlers): void {
  const all: Handlers = {
    usage: usageOfThis,
    ...handlers,
  }
  process.on('message', async ({ name, asked }: { name: keyof ChildCalls; asked: never }) => {
    process.send!(await all[name]!(asked))
  })
  process.send!(hello)
}

export function usageOfThis(): ChildCalls['usage']['answered'] {
  return { cpu: cpuMicroseconds(), busy: busyMicroseconds(), resident: process.memoryUsage.rss() }
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

function busyMicroseconds(): number {
  return performance.eventLoopUtilization().active * 1000
}
