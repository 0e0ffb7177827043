import { atPointer, Problem } from '../../domain/errors.ts'

/**
 * Answers a question that came as a JSON body. What is found wrong only while it is answered (a
 * cursor, too many buckets) is named after query parameters; the client gets its JSON pointer.
 */
export async function answerBody<Answer>(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors.some(({ parameter }) => parameter !== undefined)) throw error
    throw new Problem(error.code, error.message, { errors: error.errors.map(atPointer), headers: error.headers })
  }
}
