/** A first sentence shorter than this is a headline; the text is cut at a word instead. */
const LEAST_KEPT = 40
const SENTENCE_END = /[.!?…。۔؟]+["'”’»)\]]*(?= (?!\p{Ll}))/gu
/** A stop after one of these, or after an initial, ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s("“‘])(?:\p{L}|(?:\p{L}\.)+\p{L}|Mr|Mrs|Ms|Dr|Prof|Engr|Barr|Alh|Rev|Hon|Sen|Gov|Gen|Brig|Col|Maj|Capt|Lt|Sgt|Cpl|Insp|Supt|Asst|Dep|St|No|Nos|Rd|vs|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$/u

/** At a sentence's end where there is one, else after a word, with an ellipsis. Never in the middle of a character. */
export function truncateText(text: string, most: number): string {
  if (text.length <= most) return text
  const end = lastSentenceEnd(text, most)
  if (end >= LEAST_KEPT) return text.slice(0, end)
  const space = text.lastIndexOf(' ', most - 1)
  const cut = space >= LEAST_KEPT ? space : characterStart(text, most - 1)
  return `${text.slice(0, cut).replace(/[\s,;:–—-]+$/, '')}…`
}

function lastSentenceEnd(text: string, most: number): number {
  let last = 0
  for (const { 0: mark, index } of text.slice(0, most + 2).matchAll(SENTENCE_END)) {
    const end = index + mark.length
    if (end <= most && !(mark === '.' && ABBREVIATION.test(text.slice(Math.max(0, index - 20), index + 1)))) last = end
  }
  return last
}

/** The last place up to `from` that parts neither a surrogate pair nor a letter from its marks. */
function characterStart(text: string, from: number): number {
  for (let at = from; at > from / 2; at--) {
    const next = String.fromCodePoint(text.codePointAt(at)!)
    const within = /[\uDC00-\uDFFF]/.test(text.charAt(at)) || /\p{M}/u.test(next)
    if (!within) return at
  }
  return /[\uDC00-\uDFFF]/.test(text.charAt(from)) ? from - 1 : from
}
