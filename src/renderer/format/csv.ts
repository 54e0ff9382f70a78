/** Tables for other programs, as RFC 4180 has them. Null and missing are empty. */

type Value = string | number | null | undefined

export const formatCsv = (rows: readonly (readonly Value[])[]): string =>
  rows.map((row) => `${row.map(escapeCell).join(',')}\r\n`).join('')

function escapeCell(value: Value): string {
  const text = escapeFormula(String(value ?? ''))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet takes such a text for a formula, whoever stored it; a number is only a number. */
const escapeFormula = (text: string) =>
  /^\s*[=+\-@]|^[\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
