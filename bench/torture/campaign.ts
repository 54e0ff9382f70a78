import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Caller, must } from '../support/caller.ts'
import { serve } from '../support/host.ts'
import { Luck } from '../support/luck.ts'
import { Load } from './load.ts'
import { Proof } from './proof.ts'

/**
 * A sandbox is killed at seeded instants, under load or while it starts, and started again on what is left; each time
 * what was answered is compared with what is there.
 */

export interface Options {
  readonly kills: number
  readonly seed: string
  readonly say?: (line: string) => void
  /** Done to the folder after each kill, by whoever wants to see the campaign find it. */
  readonly harm?: (data: string) => void
}

export interface Result {
  readonly kills: number
  readonly whileStarting: number
  /** Changes that were answered, and those whose answer the kill cut off. */
  readonly answered: number
  readonly open: number
  /** Records that were looked for one by one. */
  readonly looked: number
  readonly commits: number
  /** Remarks of the sandbox on lines that were torn. */
  readonly torn: number
  readonly complaints: readonly string[]
}

const WORKERS = 6
const LATEST_KILL_MS = 500
const STARTS_WITHIN_MS = 600

export async function campaign({ kills, seed, say = () => {}, harm }: Options): Promise<Result> {
  const luck = new Luck(seed)
  const data = mkdtempSync(join(tmpdir(), 'sandbank-torture-'))
  const load = new Load(luck)
  const proof = new Proof()
  const sum = { whileStarting: 0, open: 0, torn: 0, commits: 0 }
  const complaints: string[] = []
  const args = ['--data', data, '--clock', 'frozen']
  await beginning([...args, '--world', 'empty', '--seed', seed], load, proof)

  let done = 0
  for (; done < kills && complaints.length === 0; done++) {
    if (luck.chance(0.1)) {
      await killWhileStarting(args, luck.below(STARTS_WITHIN_MS))
      sum.whileStarting++
      continue
    }
    const host = serve(args)
    const caller = new Caller(await host.line, { sockets: WORKERS })
    complaints.push(...(await proof.after(load, caller)))
    const at = luck.between(1, LATEST_KILL_MS)
    const killed = new Promise((resolve) => setTimeout(() => resolve(host.kill()), at))
    await load.run(caller, WORKERS)
    await killed
    caller.close()
    harm?.(data)
    sum.torn += tornIn((await host.ended).stderr)
    sum.open += load.deeds.filter(({ answer }) => answer === undefined).length
    if ((done + 1) % Math.max(1, Math.floor(kills / 10)) === 0)
      say(`${done + 1} kills, ${load.answered} changes answered, ${complaints.length} complaints`)
  }
  complaints.push(...(await end(args, load, proof, sum)))
  if (complaints.length === 0 || harm) rmSync(data, { recursive: true, force: true })
  else say(`The data folder is left for you to look at: ${data}`)
  return { kills: done, answered: load.answered, looked: proof.looked, ...sum, complaints }
}

async function beginning(args: readonly string[], load: Load, proof: Proof) {
  const host = serve(args)
  const caller = new Caller(await host.line)
  await load.begin(caller)
  await proof.begin(caller)
  caller.close()
  await host.kill()
}

async function killWhileStarting(args: readonly string[], after_ms: number) {
  const host = serve(args)
  await new Promise((resolve) => setTimeout(resolve, after_ms))
  await host.kill()
}

/** The last start: everything once more, and whatever was on its way arrives. */
async function end(args: readonly string[], load: Load, proof: Proof, sum: { commits: number; torn: number }) {
  const host = serve(args)
  const caller = new Caller(await host.line, { withinMs: 120_000 })
  const complaints = [...(await proof.after(load, caller)), ...(await proof.ofEverything(caller))]
  load.deeds = []
  sum.commits = (await must(caller.control('world.describe'))).seq
  load.clock = (await must(caller.control('clock.advance', { until: 'idle' }))).to
  complaints.push(...(await proof.after(load, caller)))
  const { due } = await must(caller.control('clock.read'))
  if (due > 0) complaints.push(`${due} tasks are left when nothing should be`)
  caller.close()
  const { code, stderr } = await host.stop()
  sum.torn += tornIn(stderr)
  if (code !== 0) complaints.push(`the last process ended with ${code}: ${stderr}`)
  return complaints
}

const tornIn = (stderr: string) => stderr.split('\n').filter((line) => line.includes('torn')).length
