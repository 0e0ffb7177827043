import type { Word } from '../../lib/text.ts'

const DISTANCE = /^(?:km|kms|kilomet(?:er|re)s?|miles?|\d+)$/
const BREAK = /[.;!?:\n()|[\]•]|--|[–—]\s*$/

export function wordsAfter(words: readonly Word[], to: number): string {
  let text = ''
  for (let at = to; at < words.length && at < to + 3; at++) {
    const { key, before } = words[at]!
    if (before !== '' && before !== '-' && !(before === '.' && at > to && words[at - 1]!.key.length === 1)) break
    text += at === to ? key : ` ${key}`
  }
  return text
}

/** The words in a bracket right after: "Konduga (near)", "Maiduguri town (outskirts of)". */
export function afterBracket(words: readonly Word[], to: number): string {
  let at = to
  while (at < to + 2 && at < words.length && !words[at]!.before.includes('(')) at++
  if (!words[at]?.before.startsWith('(')) return ''
  return words
    .slice(at, at + 3)
    .map(({ key }) => key)
    .join(' ')
}

export function wordsBefore(words: readonly Word[], from: number): string {
  let text = ''
  for (let at = from - 1; at >= 0 && at >= from - 7; at--) {
    const { before } = words[at + 1]!
    // "80 kilometres (50 miles) north of the state capital, Maiduguri" is one phrase.
    const inPhrase =
      (before === ',' && words[at]!.key === 'capital') || (/^[()]$/.test(before) && DISTANCE.test(words[at]!.key))
    if (!inPhrase && (BREAK.test(before) || before === ',')) break
    text = text === '' ? words[at]!.key : `${words[at]!.key} ${text}`
  }
  return text
}
