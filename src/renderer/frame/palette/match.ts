/** How what is typed fits what can be done. Every word that is typed must be found, in whatever order. */

export interface Match {
  /** The smaller, the better. */
  readonly rank: number
  /** What of the title is marked: from, to. */
  readonly marks: readonly (readonly [number, number])[]
}

export function matchText(typed: string, title: string, also = ''): Match | null {
  const text = typed.trim().toLowerCase()
  if (text === '') return { rank: 0, marks: [] }
  const low = title.toLowerCase()
  // A few letters change their length with their case; then nothing is marked.
  const marks = low.length === title.length ? findMarks(text, low) : []
  const whole = low.indexOf(text)
  if (whole === 0) return { rank: 0, marks }
  const words = text.split(/\s+/)
  const places = words.map((word) => matchWord(low, word))
  if (places.every((at) => at !== null)) return { rank: places.every(Boolean) ? 1 : 2, marks }
  const all = `${low} ${also.toLowerCase()}`
  return words.every((word) => matchWord(all, word)) ? { rank: 3, marks } : null
}

/** True where it begins a word, false inside of one, null where it is not. */
function matchWord(text: string, word: string): boolean | null {
  let found: boolean | null = null
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) return true
    found = false
  }
  // Two letters inside of a word are found in nearly every sentence.
  return found === false && word.length < 3 ? null : found
}

export function findMarks(text: string, title: string): Match['marks'] {
  const low = title.toLowerCase()
  const whole = text === '' ? -1 : low.indexOf(text)
  if (whole >= 0) return [[whole, whole + text.length]]
  const found = text.split(/\s+/).flatMap((word) => {
    const at = word === '' ? -1 : low.indexOf(word)
    return at < 0 ? [] : [[at, at + word.length] as const]
  })
  const inOrder = found.toSorted((a, b) => a[0] - b[0])
  return inOrder.filter(([from], i) => i === 0 || from >= inOrder[i - 1]![1])
}
