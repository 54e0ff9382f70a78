import type { Mark } from '../../ui/CodeEditor.tsx'

/** The validation errors of a scenario, one per line: `file:line:column: text`. */
export function parseErrors(errors: string | null): Mark[] {
  return (errors ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, at, column, text] = /^.*?:(\d+):(\d+): (.*)$/.exec(line) ?? []
      return text === undefined
        ? { line: 1, column: 1, text: line }
        : { line: Number(at), column: Number(column), text }
    })
}

const SEPARATORS = /[^\p{L}\p{N}]+/gu

/** A file name for a title: ASCII letters, digits and dashes. */
export const suggestFileName = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(SEPARATORS, '-')
    .replace(/[^\w-]/g, '')
    .replace(/^[-_]+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60)
