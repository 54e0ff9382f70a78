import { campaign, type Result } from './campaign.ts'
import { runDiskTests } from './disks.ts'
import { replaceUnderLoad, type UnderLoadResult } from './under-load.ts'

/** `npm run torture`: campaigns in several processes and the disk tests, with a report of all. */

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
  const results = both.map(({ killed }) => killed)
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
  printReplaced(
    both.map(({ replaced }) => replaced),
    print,
  )
  const problems = both.flatMap(({ killed, replaced }) => [...killed.problems, ...replaced.problems])
  for (const test of await runDiskTests(seed)) {
    print(`${test.problems.length === 0 ? 'ok    ' : 'FAILED'} ${test.name}: ${test.ways} ways`)
    problems.push(...test.problems)
  }
  for (const problem of problems.slice(0, 20)) print(`  ${problem}`)
  const verdict = problems.length === 0 ? 'Nothing is lost, nothing is doubled, the books balance' : 'FAILED'
  const repeat = `--kills ${kills} --replacements ${replacements} --seed ${seed} --workers ${workers}`
  print(`${verdict}, in ${Math.round((Date.now() - began) / 1000)} s. Repeat with: npm run torture -- ${repeat}`)
  return problems.length === 0
}

function printReplaced(results: readonly UnderLoadResult[], print: (line: string) => void) {
  const sum = (count: (result: UnderLoadResult) => number) =>
    results.reduce((total, result) => total + count(result), 0)
  const names = [...new Set(results.flatMap(({ replaced }) => Object.keys(replaced)))].sort()
  print(
    `${sum(({ replaced }) => Object.values(replaced).reduce((all, one) => all + one, 0))} worlds replaced under six clients, with ` +
      `${sum((it) => it.kills)} kills; ${sum((it) => it.writes)} requests meanwhile; ${sum((it) => it.records)} records compared; ` +
      `${sum((it) => it.unanswered)} executed without an answer`,
  )
  print(`Replacements: ${names.map((name) => `${name} ${sum(({ replaced }) => replaced[name] ?? 0)}`).join(', ')}`)
}

/** A single process has the seed itself. */
function divide({ kills, replacements, seed }: Share, workers: number): Share[] {
  const count = Math.max(1, Math.min(workers, kills))
  const shareOf = (all: number, n: number) => Math.floor((all * (n + 1)) / count) - Math.floor((all * n) / count)
  return Array.from({ length: count }, (_, n) => ({
    kills: shareOf(kills, n),
    replacements: shareOf(replacements, n),
    seed: count === 1 ? seed : `${seed}-${n}`,
  }))
}
