import { readFileSync, writeFileSync } from 'node:fs'
import { formatLine } from '../../src/api/store/journal.ts'

/** The lines of a data file, without their checks. */
export const readLineTexts = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\t[0-9a-f]{8}$/, ''))

/** Writes lines with correct checks, so that a reader finds the other faults in them. */
export function writeLineTexts(path: string, texts: readonly string[]) {
  let check = 0
  const lines = texts.map((text) => {
    const line = formatLine(text, check)
    check = line.check
    return line.bytes
  })
  writeFileSync(path, Buffer.concat(lines))
}

export const editLines = (path: string, edit: (lines: string[]) => readonly string[]) =>
  writeLineTexts(path, edit(readLineTexts(path)))
