import { SEVERITIES, type Severity } from '../../../../src/domain/taxonomy.ts'
import type { Question } from '../question/question.ts'
import { type Figures, sumOf } from './figures.ts'
import { type Bar, barsIn, figuresOf } from './histogram.ts'

/** Everything that the page counts, all of it from one answer. */
export interface PageFigures {
  /** The question that they answer: the current one, or the one before while it is loading. */
  readonly question: Question
  readonly bars: readonly Bar[]
  /** The incidents of the list. */
  readonly total: Figures
  /** The figures that the list would have with only this severity. */
  readonly bySeverity: Readonly<Record<Severity, Figures>>
}

export function pageFiguresOf(bars: readonly Bar[], question: Question): PageFigures {
  const { window, severities } = question
  const inWindow = barsIn(bars, window)
  const bySeverity = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, sumOf(inWindow.map((bar) => bar.bySeverity[severity]))]),
  ) as Record<Severity, Figures>
  return { question, bars, total: sumOf(inWindow.map((bar) => figuresOf(bar, severities))), bySeverity }
}
