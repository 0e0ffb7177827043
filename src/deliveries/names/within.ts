/** No name server answered in time. */
export class NameTimeout extends Error {
  override readonly name = 'NameTimeout'
}

/** Rejects with `NameTimeout` if the work takes longer; the work goes on. */
export async function within<Value>(work: Promise<Value>, milliseconds: number): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new NameTimeout(`no answer within ${milliseconds} ms`)), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
