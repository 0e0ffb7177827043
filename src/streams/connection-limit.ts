/** Subjects that a stream counts for, each with its maximum. */
export type SubjectBounds = readonly { readonly subject: string; readonly max: number }[]

/** Counts open streams in all and for each subject, such as an account. */
export class ConnectionLimit {
  readonly #max: number
  readonly #openBySubject = new Map<string, number>()
  #open = 0

  constructor(max: number) {
    this.#max = max
  }

  openOf(subject: string): number {
    return this.#openBySubject.get(subject) ?? 0
  }

  /** Counts one more stream for every subject, or for none: then it returns which limit it hit. */
  acquire(bounds: SubjectBounds): 'taken' | 'all full' | { readonly full: string } {
    const full = bounds.find(({ subject, max }) => this.openOf(subject) >= max)
    if (full !== undefined) return { full: full.subject }
    if (this.#open >= this.#max) return 'all full'
    for (const { subject } of bounds) this.#openBySubject.set(subject, this.openOf(subject) + 1)
    this.#open++
    return 'taken'
  }

  release(bounds: SubjectBounds): void {
    for (const { subject } of bounds) {
      const open = this.openOf(subject) - 1
      if (open === 0) this.#openBySubject.delete(subject)
      else this.#openBySubject.set(subject, open)
    }
    this.#open--
  }
}
