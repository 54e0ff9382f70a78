import { campaign, type Options } from './campaign.ts'
import { runDiskTests } from './disks.ts'

/** `npm run torture`: the campaign and the disk tests, with a report. Returns true when there is no problem. */
export async function torture({ kills, seed, print = () => {} }: Options): Promise<boolean> {
  print(`Torture: ${kills} kills, seed ${seed}`)
  const began = Date.now()
  const result = await campaign({ kills, seed, print })
  print(
    `${result.kills} kills (${result.whileStarting} while starting); ${result.acknowledged} changes acknowledged, ` +
      `${result.unanswered} cut off; ${result.checked} records, ${result.logged} log entries and ${result.actions} actions looked up; ` +
      `${result.commits} commits; ${result.tornLines} torn lines; ${result.worldFiles} world files; ` +
      `${result.refusedProcesses} second processes refused`,
  )
  const methods = Object.entries(result.methods)
  print(`Methods: ${methods.map(([name, counts]) => `${name} ${counts.answered}+${counts.interrupted}`).join(', ')}`)
  const problems = [...result.problems]
  for (const test of await runDiskTests(seed)) {
    print(`${test.problems.length === 0 ? 'ok    ' : 'FAILED'} ${test.name}: ${test.ways} ways`)
    problems.push(...test.problems)
  }
  for (const problem of problems.slice(0, 20)) print(`  ${problem}`)
  const verdict = problems.length === 0 ? 'Nothing is lost, nothing is doubled, the books balance' : 'FAILED'
  print(
    `${verdict}, in ${Math.round((Date.now() - began) / 1000)} s. Repeat with: npm run torture -- --kills ${kills} --seed ${seed}`,
  )
  return problems.length === 0
}
