/** Hausa, Yoruba and Igbo letters that Unicode does not decompose into a base letter and a mark. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ŋ: 'n',
  ɛ: 'e',
  ɔ: 'o',
  ǝ: 'e',
  ı: 'i',
}

/** Converts to lower case without accents, hooks and apostrophes: `Jema’a` becomes `jemaa`. */
export function foldAccents(text: string): string {
  // Shortcut: most texts are plain ASCII, and thousands of names are folded at the start.
  if (/^[a-z0-9 /.-]*$/.test(text)) return text
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ɓɗƙƴŋɛɔǝı]/g, (letter) => BASE_LETTERS[letter] ?? letter)
    .replace(/[\p{M}'’‘ʼʻ`´]/gu, '')
}
