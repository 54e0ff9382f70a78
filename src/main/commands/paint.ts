import { escapeControls, escapeControlsInLines } from '../../api/contract/terms/texts.ts'

/** Colors for a terminal: none with NO_COLOR, or where the output is no terminal; FORCE_COLOR wins over both. */

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const
type Style = keyof typeof CODES
export type Paint = (style: Style, text: string) => string

/** Stands for the beginning of a color until a text is printed. It is random, so that no text of outside can have it. Without colors there is none. */
let color: string | undefined

/**
 * What a terminal gets: it obeys the colors of this program alone. Names, paths, answers and errors may have control characters, which
 * could clear the screen, set its title or write over what was printed.
 */
export const formatForTerminal = (text: string): string =>
  (color ? text.split(color) : [text]).map(escapeControlsInLines).join('\x1b[')

/** The parts of one line, of which none can begin another line. */
export const formatLine = (parts: readonly (string | null | undefined | false)[]): string =>
  parts
    .filter(Boolean)
    .map((part) => escapeControls(String(part)))
    .join('  ')

export function createPaint(env: NodeJS.ProcessEnv, isTerminal: boolean): Paint {
  if (!hasColors(env, isTerminal)) return (_style, text) => text
  color ??= `\ue000${process.getBuiltinModule('node:crypto').randomBytes(12).toString('hex')}`
  return (style, text) => `${color}${CODES[style][0]}m${text}${color}${CODES[style][1]}m`
}

function hasColors({ FORCE_COLOR, NO_COLOR, TERM }: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return !['0', 'false'].includes(FORCE_COLOR)
  if (NO_COLOR) return false
  return isTerminal && TERM !== 'dumb'
}

export const paintStatus = (paint: Paint, status: number, text = String(status)) =>
  paint(status >= 400 || status === 0 ? 'red' : status >= 300 ? 'yellow' : 'green', text)
