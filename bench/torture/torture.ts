import { campaign, type Result } from './campaign.ts'
import { runDiskTests } from './disks.ts'

/** `npm run torture`: campaigns in several processes and the disk tests, with a report of all. */

interface Share {
  readonly kills: number
  readonly seed: string
}

export interface TortureOptions extends Share {
  readonly workers: number
  readonly print: (line: string) => void
  readonly startWorker: (share: Share) => Promise<Result>
}

/** A campaign in a process of its own. */
export const runWorker = ({ kills, seed }: Share): Promise<Result> =>
  campaign({ kills, seed, print: (line) => console.log(`${seed}: ${line}`) })

/** Returns true when there is no problem. */
export async function torture({ kills, seed, workers, print, startWorker }: TortureOptions): Promise<boolean> {
  print(`Torture: ${kills} kills, seed ${seed}, by ${workers} processes`)
  const began = Date.now()
  const results = await Promise.all(divide({ kills, seed }, workers).map(startWorker))
  const sum = (count: (result: Result) => number) => results.reduce((total, result) => total + count(result), 0)
  print(
    `${sum((it) => it.kills)} kills (${sum((it) => it.whileStarting)} while starting); ` +
      `${sum((it) => it.acknowledged)} changes acknowledged, ${sum((it) => it.unanswered)} cut off; ` +
      `${sum((it) => it.checked)} records, ${sum((it) => it.logged)} log entries and ${sum((it) => it.actions)} actions looked up; ` +
      `${sum((it) => it.commits)} commits; ${sum((it) => it.tornLines)} torn lines; ` +
      `${sum((it) => it.worldFiles)} world files; ${sum((it) => it.refusedProcesses)} second processes refused`,
  )
  const names = Object.keys(results[0]!.methods) as (keyof Result['methods'])[]
  const counts = names.map((name) => {
    const [answered, interrupted] = [sum((it) => it.methods[name].answered), sum((it) => it.methods[name].interrupted)]
    return `${name} ${answered}+${interrupted}`
  })
  print(`Methods, answered + interrupted: ${counts.join(', ')}`)
  const problems = results.flatMap((result) => result.problems)
  for (const test of await runDiskTests(seed)) {
    print(`${test.problems.length === 0 ? 'ok    ' : 'FAILED'} ${test.name}: ${test.ways} ways`)
    problems.push(...test.problems)
  }
  for (const problem of problems.slice(0, 20)) print(`  ${problem}`)
  const verdict = problems.length === 0 ? 'Nothing is lost, nothing is doubled, the books balance' : 'FAILED'
  const options = `--kills ${kills} --seed ${seed} --workers ${workers}`
  print(`${verdict}, in ${Math.round((Date.now() - began) / 1000)} s. Repeat with: npm run torture -- ${options}`)
  return problems.length === 0
}

/** A single process has the seed itself. */
function divide({ kills, seed }: Share, workers: number): Share[] {
  const count = Math.max(1, Math.min(workers, kills))
  return Array.from({ length: count }, (_, n) => ({
    kills: Math.floor((kills * (n + 1)) / count) - Math.floor((kills * n) / count),
    seed: count === 1 ? seed : `${seed}-${n}`,
  }))
}
