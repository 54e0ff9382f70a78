/** CSV as in RFC 4180, and texts with tabs. Null and missing values are empty. */

type Value = string | number | null | undefined

export const formatCsv = (rows: readonly (readonly Value[])[]): string =>
  rows.map((row) => `${row.map(escapeCell).join(',')}\r\n`).join('')

/** For the clipboard: spreadsheets paste it into cells. */
export const formatTsv = (rows: readonly (readonly Value[])[]): string =>
  rows
    .map((row) => row.map((value) => escapeFormula(String(value ?? '').replaceAll(/[\t\r\n]+/g, ' '))).join('\t'))
    .join('\n')

function escapeCell(value: Value): string {
  const text = escapeFormula(String(value ?? ''))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet would run a text that begins like a formula; a number is safe. */
const escapeFormula = (text: string) =>
  /^\s*[=+\-@]|^[\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
