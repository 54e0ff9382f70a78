/**
 * Stored text, safe to show: a control character becomes its picture, so that it is visible and has no effect.
 * Bidirectional marks stay; they are isolated where the text is shown.
 */
export const escapeControls = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  text.replace(/[\u0000-\u001f\u007f]/g, (sign) =>
    sign === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + sign.charCodeAt(0)),
  )

/** Longer texts are shown shortened, with a button for all of it. */
export const MAX_LENGTH = 160

/** The beginning of a long text. It never cuts a character in two. */
export const truncate = (text: string) =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : text
