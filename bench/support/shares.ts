/** Work that is divided among processes, and the sums of what they have counted. */

export type Counts = Readonly<Record<string, number>>

/** The nth of so many parts of a number: the parts differ by one at most. */
export const shareOf = (all: number, n: number, parts: number): number =>
  Math.floor((all * (n + 1)) / parts) - Math.floor((all * n) / parts)

export function addCounts(total: Record<string, number>, counts: Counts): void {
  for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count
}

export function sumCounts(all: readonly Counts[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const counts of all) addCounts(total, counts)
  return total
}

export const describeCounts = (counts: Counts): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
