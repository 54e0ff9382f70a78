/** The known name that a misspelled one most likely means; undefined if none is close. */
export function closest(text: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(text.length / 3))
  const [best] = names
    .map((name) => ({ name, distance: name.startsWith(text) && text.length > 1 ? 0 : distance(text, name) }))
    .sort((a, b) => a.distance - b.distance)
  return best && best.distance <= most ? best.name : undefined
}

/** How many letters to insert, delete, replace or swap with their neighbor. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? rows[i - 2]![j - 2]! + 1 : replaced
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, swapped))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
