/**
 * Text that somebody stored, made harmless to look at: a control character is shown as its picture, so that it neither
 * vanishes nor acts. What changes the direction of writing is kept and isolated where it is shown.
 */
export const escapeControls = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  text.replace(/[\u0000-\u001f\u007f]/g, (sign) =>
    sign === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + sign.charCodeAt(0)),
  )

/** So much of a text is shown before it is asked for whole. */
export const MAX_LENGTH = 160

/** Its beginning, where there is more than anybody reads in passing; no sign is cut in two. */
export const truncate = (text: string) =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : text
