import type { Mark } from '../../ui/CodeEditor.tsx'

/** What is wrong with a scenario's text, line by line: `file:line:column: words`. */
export function marksOf(trouble: string | null): Mark[] {
  return (trouble ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, at, column, text] = /^.*?:(\d+):(\d+): (.*)$/.exec(line) ?? []
      return text === undefined
        ? { line: 1, column: 1, text: line }
        : { line: Number(at), column: Number(column), text }
    })
}

const NAME = /[^\p{L}\p{N}]+/gu

/** A name for a file, made from a title. */
export const fileNameOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(NAME, '-')
    .replace(/[^\w-]/g, '')
    .replace(/^[-_]+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60)
