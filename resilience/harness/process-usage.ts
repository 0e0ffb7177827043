/** What a process has taken. */
export interface Usage {
  /** Bytes that the system gives it. */
  readonly resident: number
  /** Bytes in use of the main thread's heap, with the buffers that hang on it. */
  readonly used: number
  /** Milliseconds of processor time since it began, all threads together. */
  readonly cpu: number
  /** Milliseconds that its main thread was ready and had no processor; 0 where the system does not say. */
  readonly waited: number
}

const SCHEDULE = `(({ existsSync, readFileSync }, file) => existsSync(file) ? readFileSync(file, 'utf8') : '0 0')
  (process.getBuiltinModule('node:fs'), '/proc/self/schedstat')`

/** Lets the process print where its inspector listens; `usageOf` finds it there. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

interface Reply {
  readonly id: number
  readonly result?: { readonly result?: { readonly value?: string } }
  readonly error?: { readonly message: string }
}

/** Makes a process collect its garbage, and says what is left. Nothing of ours runs in it: it is asked as a debugger would. */
export async function usageOf(output: string): Promise<Usage> {
  const address = /Debugger listening on (ws:\S+)/.exec(output)?.[1]
  if (address === undefined) throw new Error(`the process does not say setup it is inspected:\n${output}`)
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`nobody answers at ${address}`)))
  })
  try {
    // What finalizers let go is gone after the second.
    await call(socket, 1, 'HeapProfiler.collectGarbage')
    await call(socket, 2, 'HeapProfiler.collectGarbage')
    const expression = `JSON.stringify({ ...process.memoryUsage(), ...process.cpuUsage(), schedule: ${SCHEDULE} })`
    const { result } = await call(socket, 3, 'Runtime.evaluate', { expression })
    const taken = JSON.parse(result!.result!.value!) as NodeJS.MemoryUsage & NodeJS.CpuUsage & { schedule: string }
    const { rss, heapUsed, external, user, system, schedule } = taken
    const waited = Number(schedule.split(' ')[1]) / 1_000_000
    return { resident: rss, used: heapUsed + external, cpu: (user + system) / 1000, waited }
  } finally {
    socket.close()
  }
}

function call(socket: WebSocket, id: number, method: string, params: object = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const hear = ({ data }: MessageEvent) => {
      const reply = JSON.parse(String(data)) as Reply
      if (reply.id !== id) return
      socket.removeEventListener('message', hear)
      if (reply.error) reject(new Error(reply.error.message))
      else resolve(reply)
    }
    socket.addEventListener('message', hear)
    socket.send(JSON.stringify({ id, method, params }))
  })
}
