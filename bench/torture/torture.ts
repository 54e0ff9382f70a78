import { campaign, type Options } from './campaign.ts'
import { trials } from './disks.ts'

/** The whole of it, told as it goes. Answers whether nothing was found. */
export async function torture({ kills, seed, say = () => {} }: Options): Promise<boolean> {
  say(`Torture of ${kills} kills, seed ${seed}`)
  const began = Date.now()
  const result = await campaign({ kills, seed, say })
  say(
    `${result.kills} kills (${result.whileStarting} while starting); ${result.answered} changes answered, ${result.open} cut off; ` +
      `${result.looked} records looked for one by one; ${result.commits} commits; ${result.torn} torn lines put aside`,
  )
  const complaints = [...result.complaints]
  for (const trial of await trials(seed)) {
    say(`${trial.complaints.length === 0 ? 'ok    ' : 'FAILED'} ${trial.name}: ${trial.ways} ways`)
    complaints.push(...trial.complaints)
  }
  for (const complaint of complaints.slice(0, 20)) say(`  ${complaint}`)
  const verdict = complaints.length === 0 ? 'Nothing lost, nothing doubled, the books balance' : 'FAILED'
  say(
    `${verdict}, in ${Math.round((Date.now() - began) / 1000)} s. Again with: npm run torture -- --kills ${kills} --seed ${seed}`,
  )
  return complaints.length === 0
}
