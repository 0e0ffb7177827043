import { RequestError } from '../../shared/parts/request.ts'
import { showToast } from './toasts.ts'

/** Waits for a request and shows why the server refused it; true if it was done. */
export async function showRefusal(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    showToast('failed', error.message)
    return false
  }
}
