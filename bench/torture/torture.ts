import { describeCounts, shareOf, sumCounts } from '../support/shares.ts'
import { campaign, type Result, type Share } from './campaign.ts'

/** `npm run torture`: campaigns in several processes, with a report of all. */

export interface TortureOptions extends Share {
  readonly workers: number
  readonly print: (line: string) => void
  readonly startWorker: (share: Share) => Promise<Result>
}

/** The campaign in a process of its own. */
export const runWorker = (share: Share): Promise<Result> =>
  campaign({ ...share, print: (line) => console.log(`${share.seed}: ${line}`) })

/** Returns true when there is no problem. */
export async function torture(options: TortureOptions): Promise<boolean> {
  const { kills, replacements, seed, workers, print, startWorker } = options
  print(`Torture: ${kills} kills and ${replacements} replacements, seed ${seed}, by ${workers} processes`)
  const began = Date.now()
  const results = await Promise.all(divide(options, workers).map(startWorker))
  print(describeCounts(sumCounts(results.map(({ counts }) => counts))))
  const methods = Object.keys(results[0]!.methods).map((name) => {
    const of = sumCounts(results.map(({ methods }) => methods[name]!))
    return `${name} ${of.answered}+${of.interrupted}`
  })
  print(`Methods, answered + interrupted: ${methods.join(', ')}`)
  print(`While clients wrote: ${describeCounts(sumCounts(results.map(({ replaced }) => replaced)))}`)
  const problems = results.flatMap(({ problems }) => problems)
  for (const problem of problems.slice(0, 20)) print(`  ${problem}`)
  const verdict = problems.length === 0 ? 'Nothing is lost, nothing is doubled, the books balance' : 'FAILED'
  const repeat = `--kills ${kills} --replacements ${replacements} --seed ${seed} --workers ${workers}`
  print(`${verdict}, in ${Math.round((Date.now() - began) / 1000)} s. Repeat with: npm run torture -- ${repeat}`)
  return problems.length === 0
}

/** A single process has the seed itself. */
function divide({ kills, replacements, seed }: Share, workers: number): Share[] {
  const count = Math.max(1, Math.min(workers, kills))
  return Array.from({ length: count }, (_, n) => ({
    kills: shareOf(kills, n, count),
    replacements: shareOf(replacements, n, count),
    seed: count === 1 ? seed : `${seed}-${n}`,
  }))
}
