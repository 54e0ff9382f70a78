/** The forms in which secrets are looked for. */

/** A text as it is, in base64 at each alignment, in base64url, and in hex in both cases. */
export const encodings = (secret: string): string[] => [
  secret,
  ...['', 'a', 'ab'].flatMap((before) =>
    (['base64', 'base64url'] as const).map((encoding) => Buffer.from(`${before}${secret} and more`).toString(encoding)),
  ),
  ...['', 'x'].flatMap((before) => {
    const hex = Buffer.from(`${before}${secret}`).toString('hex')
    return [hex, hex.toUpperCase()]
  }),
]

/** What the words of a text are in base64 if they begin so many characters later. */
export const decodeRuns = (text: string, from: number): string =>
  (text.match(/[\w+/-]{8,}/g) ?? []).map((run) => Buffer.from(run.slice(from), 'base64').toString('latin1')).join(' ')

/** A text with what its words hold in base64, at each alignment, and in hex. */
export const decodeAll = (text: string): string =>
  [
    text,
    ...[0, 1, 2, 3].map((from) => decodeRuns(text, from)),
    ...(text.match(/[\da-f]{16,}/gi) ?? []).map((run) => Buffer.from(run, 'hex').toString('latin1')),
  ].join(' ')
