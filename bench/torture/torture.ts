import { describeCounts, shareOf, sumCounts } from '../support/shares.ts'
import { campaign, type Result } from './campaign.ts'
import { replaceUnderLoad, type UnderLoadResult } from './under-load.ts'

/** `npm run torture`: campaigns in several processes, with a report of all. */

interface Share {
  readonly kills: number
  readonly replacements: number
  readonly seed: string
}

interface Results {
  readonly killed: Result
  readonly replaced: UnderLoadResult
}

export interface TortureOptions extends Share {
  readonly workers: number
  readonly print: (line: string) => void
  readonly startWorker: (share: Share) => Promise<Results>
}

/** The campaigns in a process of their own. */
export async function runWorker({ kills, replacements, seed }: Share): Promise<Results> {
  const print = (line: string) => console.log(`${seed}: ${line}`)
  const killed = await campaign({ kills, seed, print })
  return { killed, replaced: await replaceUnderLoad({ replacements, seed, print }) }
}

/** Returns true when there is no problem. */
export async function torture(options: TortureOptions): Promise<boolean> {
  const { kills, replacements, seed, workers, print, startWorker } = options
  print(`Torture: ${kills} kills and ${replacements} replacements, seed ${seed}, by ${workers} processes`)
  const began = Date.now()
  const both = await Promise.all(divide(options, workers).map(startWorker))
  const killed = both.map(({ killed }) => killed)
  print(describeCounts(sumCounts(killed.map(({ counts }) => counts))))
  const methods = Object.keys(killed[0]!.methods).map((name) => {
    const of = sumCounts(killed.map(({ methods }) => methods[name]!))
    return `${name} ${of.answered}+${of.interrupted}`
  })
  print(`Methods, answered + interrupted: ${methods.join(', ')}`)
  const replaced = both.map(({ replaced }) => replaced)
  print(`Under six clients: ${describeCounts(sumCounts(replaced.map(({ counts }) => counts)))}`)
  print(`Replacements: ${describeCounts(sumCounts(replaced.map(({ replaced }) => replaced)))}`)
  const problems = both.flatMap(({ killed, replaced }) => [...killed.problems, ...replaced.problems])
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
