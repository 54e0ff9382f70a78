/** The forms in which secrets are looked for. */

/** A text as it is, in base64, in base64url, and in hex in both cases. */
export const encodings = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  return [secret, bytes.toString('base64'), bytes.toString('base64url'), hex, hex.toUpperCase()]
}

/** A text with what its words hold in base64 and in hex. */
export const decodeAll = (text: string): string =>
  [
    text,
    ...(text.match(/[\w+/-]{8,}/g) ?? []).map((run) => Buffer.from(run, 'base64').toString('latin1')),
    ...(text.match(/[\da-f]{16,}/gi) ?? []).map((run) => Buffer.from(run, 'hex').toString('latin1')),
  ].join(' ')
