/** A shorter first sentence is a headline; the text is then cut after a word. */
const MIN_LENGTH = 40
const SENTENCE_END = /[.!?…。۔؟]+["'”’»)\]]*(?= (?!\p{Ll}))/gu
/** A full stop after one of these, or after an initial, does not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s("“‘])(?:\p{L}|(?:\p{L}\.)+\p{L}|Mr|Mrs|Ms|Dr|Prof|Engr|Barr|Alh|Rev|Hon|Sen|Gov|Gen|Brig|Col|Maj|Capt|Lt|Sgt|Cpl|Insp|Supt|Asst|Dep|St|No|Nos|Rd|vs|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$/u

/** Cuts after a sentence, or else after a word with an ellipsis; never inside a character. */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = lastSentenceEnd(text, maxLength)
  if (end >= MIN_LENGTH) return text.slice(0, end)
  const space = text.lastIndexOf(' ', maxLength - 1)
  const cut = space >= MIN_LENGTH ? space : characterStart(text, maxLength - 1)
  return `${text.slice(0, cut).replace(/[\s,;:–—-]+$/, '')}…`
}

function lastSentenceEnd(text: string, maxLength: number): number {
  let last = 0
  for (const { 0: mark, index } of text.slice(0, maxLength + 2).matchAll(SENTENCE_END)) {
    const end = index + mark.length
    if (end <= maxLength && !(mark === '.' && ABBREVIATION.test(text.slice(Math.max(0, index - 20), index + 1))))
      last = end
  }
  return last
}

/** Returns the last index up to `from` that splits no surrogate pair and no accented letter. */
function characterStart(text: string, from: number): number {
  for (let at = from; at > from / 2; at--) {
    const next = String.fromCodePoint(text.codePointAt(at)!)
    const within = /[\uDC00-\uDFFF]/.test(text.charAt(at)) || /\p{M}/u.test(next)
    if (!within) return at
  }
  return /[\uDC00-\uDFFF]/.test(text.charAt(from)) ? from - 1 : from
}
