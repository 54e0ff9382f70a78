import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, expectSuccess } from '../support/client.ts'
import { serve } from '../support/process.ts'
import { Random } from '../support/random.ts'
import { Load } from './load.ts'
import { Verification } from './verification.ts'

/**
 * Kills a sandbox at random instants, under load or while it starts, and starts it again on the same data folder. After each start
 * the world is compared with the responses that the client got.
 */

export interface Options {
  readonly kills: number
  readonly seed: string
  readonly print?: (line: string) => void
  /** Damages the data folder after each kill, to show that the campaign finds it. */
  readonly damage?: (data: string) => void
}

export interface Result {
  readonly kills: number
  readonly whileStarting: number
  /** Changes that were acknowledged. */
  readonly acknowledged: number
  /** Changes whose response the kill cut off. */
  readonly unanswered: number
  /** Records that were looked up one by one. */
  readonly checked: number
  readonly commits: number
  /** Messages of the sandbox about torn lines. */
  readonly tornLines: number
  readonly problems: readonly string[]
}

const WORKERS = 6
const LATEST_KILL_MS = 500
const STARTS_WITHIN_MS = 600

export async function campaign({ kills, seed, print = () => {}, damage }: Options): Promise<Result> {
  const random = new Random(seed)
  const data = mkdtempSync(join(tmpdir(), 'sandbank-torture-'))
  const load = new Load(random)
  const verification = new Verification()
  const sum = { whileStarting: 0, unanswered: 0, tornLines: 0, commits: 0 }
  const problems: string[] = []
  const args = ['--data', data, '--clock', 'frozen']
  await createWorld([...args, '--world', 'empty', '--seed', seed], load, verification)

  let done = 0
  for (; done < kills && problems.length === 0; done++) {
    if (random.chance(0.1)) {
      await killWhileStarting(args, random.below(STARTS_WITHIN_MS))
      sum.whileStarting++
      continue
    }
    const host = serve(args)
    const client = new Client(await host.output, { sockets: WORKERS })
    problems.push(...(await verification.verify(load, client)))
    const kill_ms = random.between(1, LATEST_KILL_MS)
    const killed = new Promise((resolve) => setTimeout(() => resolve(host.kill()), kill_ms))
    await load.runUntilLost(client, WORKERS)
    await killed
    client.close()
    damage?.(data)
    sum.tornLines += countTornLines((await host.ended).stderr)
    sum.unanswered += load.creations.filter(({ response }) => response === undefined).length
    if ((done + 1) % Math.max(1, Math.floor(kills / 10)) === 0)
      print(`${done + 1} kills, ${load.acknowledged} changes acknowledged, ${problems.length} problems`)
  }
  problems.push(...(await finish(args, load, verification, sum)))
  if (problems.length === 0 || damage) rmSync(data, { recursive: true, force: true })
  else print(`The data folder: ${data}`)
  return { kills: done, acknowledged: load.acknowledged, checked: verification.checked, ...sum, problems }
}

async function createWorld(args: readonly string[], load: Load, verification: Verification) {
  const host = serve(args)
  const client = new Client(await host.output)
  await load.createCustomers(client)
  await verification.begin(client)
  client.close()
  await host.kill()
}

async function killWhileStarting(args: readonly string[], after_ms: number) {
  const host = serve(args)
  await new Promise((resolve) => setTimeout(resolve, after_ms))
  await host.kill()
}

/** The last start: verifies every record, advances the clock until nothing is due, and stops the sandbox. */
async function finish(
  args: readonly string[],
  load: Load,
  verification: Verification,
  sum: { commits: number; tornLines: number },
) {
  const host = serve(args)
  const client = new Client(await host.output, { withinMs: 120_000 })
  const problems = [...(await verification.verify(load, client)), ...(await verification.verifyAllRecords(client))]
  load.creations = []
  sum.commits = (await expectSuccess(client.control('world.describe'))).seq
  load.clock = (await expectSuccess(client.control('clock.advance', { until: 'idle' }))).to
  problems.push(...(await verification.verify(load, client)))
  const { due } = await expectSuccess(client.control('clock.read'))
  if (due > 0) problems.push(`${due} tasks are due after an advance until idle`)
  client.close()
  const { code, stderr } = await host.stop()
  sum.tornLines += countTornLines(stderr)
  if (code !== 0) problems.push(`the last process ended with ${code}: ${stderr}`)
  return problems
}

const countTornLines = (stderr: string) => stderr.split('\n').filter((line) => line.includes('torn')).length
