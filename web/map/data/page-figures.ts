import { useStore } from '../../shared/store.ts'
import { currentQuestion } from './current-question.ts'
import { type PageFigures, pageFiguresOf } from './figures.ts'
import { listKeyOf, statisticsKeyOf } from './question.ts'
import { type Snapshot, snapshot } from './snapshot.ts'

interface PageState {
  /** Null until the first counts are there. */
  readonly figures: PageFigures | null
  /**
   * Whether the figures answer another question than the current one; they are shown as loading.
   */
  readonly figuresAreOld: boolean
  readonly listIsOld: boolean
  readonly loading: boolean
  readonly failure: Snapshot['failure']
}

/** Returns the figures that the page shows, and whether they are being loaded. */
export function usePageState(): PageState {
  const current = useStore(currentQuestion)
  const { list, statistics, loading, failure } = useStore(snapshot)
  const isCounted = statistics?.key === statisticsKeyOf(current)
  // The bars of a span answer every window and severity in it.
  const question = isCounted ? current : statistics?.question
  return {
    figures: statistics && question ? pageFiguresOf(statistics.bars, question) : null,
    figuresAreOld: !isCounted,
    listIsOld: list?.key !== listKeyOf(current),
    loading,
    failure,
  }
}
