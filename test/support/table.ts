/** A table of text: a line for each row, bars between its cells. */
export const table = <Row extends string[] = string[]>(lines: string) =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().replace(/\s+/g, ' ')) as Row)
