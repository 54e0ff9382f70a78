/** Colors for a terminal: none with NO_COLOR, or where the output is no terminal; FORCE_COLOR wins over both. */

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const
export type Style = keyof typeof CODES
export type Paint = (style: Style, text: string) => string

export function createPaint(env: NodeJS.ProcessEnv, isTerminal: boolean): Paint {
  if (!hasColors(env, isTerminal)) return (_style, text) => text
  return (style, text) => `\x1b[${CODES[style][0]}m${text}\x1b[${CODES[style][1]}m`
}

function hasColors({ FORCE_COLOR, NO_COLOR, TERM }: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return !['0', 'false'].includes(FORCE_COLOR)
  if (NO_COLOR) return false
  return isTerminal && TERM !== 'dumb'
}

export const paintStatus = (paint: Paint, status: number, text = String(status)) =>
  paint(status >= 400 || status === 0 ? 'red' : status >= 300 ? 'yellow' : 'green', text)
