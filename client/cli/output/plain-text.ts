/** Controls, which a terminal would obey, and marks that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text of others, safe to print on a terminal: nothing in it moves the cursor or hides a word. */
export function plainText(text: string): string {
  return text.replace(CONTROLS, ' ')
}

export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim()
}
