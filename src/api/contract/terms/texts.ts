/** Controls, blanks of all scripts, and characters that show nothing, such as zero-width ones. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** True for an empty text and for one that shows nothing. */
export const isBlank = (text: string): boolean => text.replaceAll(INVISIBLE, '') === ''

export const isVisible = (text: string): boolean => !isBlank(text)
