/** Memory and processor time of a process. */
export interface ProcessUsage {
  /** Resident memory in bytes. */
  readonly resident: number
  /** Bytes in use on the heap of the main thread, with its external buffers. */
  readonly used: number
  /** Processor time of all threads since the start, in milliseconds. */
  readonly cpu: number
  /**
   * Milliseconds that the main thread was runnable but had no processor; 0 if the system does not
   * report it.
   */
  readonly waited: number
}

/** Reads `/proc/self/schedstat` inside the inspected process. */
const SCHEDSTAT = `(({ existsSync, readFileSync }, file) => existsSync(file) ? readFileSync(file, 'utf8') : '0 0')
  (process.getBuiltinModule('node:fs'), '/proc/self/schedstat')`

/** Makes a process print the address of its inspector, from which `readUsage` connects to it. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

interface InspectorReply {
  readonly id: number
  readonly result?: { readonly result?: { readonly value?: string } }
  readonly error?: { readonly message: string }
}

/**
 * Collects the garbage of a process and returns its usage. Connects as a debugger does, so the
 * process needs no test code. `output` is what the process has printed.
 */
export async function readUsage(output: string): Promise<ProcessUsage> {
  const address = /Debugger listening on (ws:\S+)/.exec(output)?.[1]
  if (address === undefined) throw new Error(`the process does not say setup it is inspected:\n${output}`)
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)))
  })
  try {
    // The second collection frees what finalizers released in the first.
    await call(socket, 1, 'HeapProfiler.collectGarbage')
    await call(socket, 2, 'HeapProfiler.collectGarbage')
    const expression = `JSON.stringify({ ...process.memoryUsage(), ...process.cpuUsage(), schedule: ${SCHEDSTAT} })`
    const { result } = await call(socket, 3, 'Runtime.evaluate', { expression })
    const raw = JSON.parse(result!.result!.value!) as NodeJS.MemoryUsage & NodeJS.CpuUsage & { schedule: string }
    const { rss, heapUsed, external, user, system, schedule } = raw
    const waited = Number(schedule.split(' ')[1]) / 1_000_000
    return { resident: rss, used: heapUsed + external, cpu: (user + system) / 1000, waited }
  } finally {
    socket.close()
  }
}

function call(socket: WebSocket, id: number, method: string, params: object = {}): Promise<InspectorReply> {
  return new Promise((resolve, reject) => {
    const onMessage = ({ data }: MessageEvent) => {
      const reply = JSON.parse(String(data)) as InspectorReply
      if (reply.id !== id) return
      socket.removeEventListener('message', onMessage)
      if (reply.error) reject(new Error(reply.error.message))
      else resolve(reply)
    }
    socket.addEventListener('message', onMessage)
    socket.send(JSON.stringify({ id, method, params }))
  })
}
