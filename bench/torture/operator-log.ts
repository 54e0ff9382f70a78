import { join } from 'node:path'
import type { OperatorAction } from '../../src/api/replay/operator-log.ts'
import { listLogFiles, readLogFile } from '../../src/api/store/log.ts'
import { type Body, type Client, expectSuccess, type HttpRequest, type Response } from '../support/client.ts'
import { isAction } from './methods.ts'

/**
 * Compares the operator log with the actions that were answered: each of them is there with its input, no other is there, their uids and
 * commits are in order, and each commit of an action has its entry.
 */

const CONTROL = '/control/'
const COMMITS = 1_000
/** These execute actions of their own. */
const REPEATING = ['exchanges.replay', 'scenarios.run', 'scenarios.step', 'bundles.import']
/** A start sets the clock as the command line says, which is no action. */
const isOfStart = (name: string) => name === 'clock.set'

export class OperatorLogCheck {
  readonly #data: string
  readonly #waiting = new Map<HttpRequest, string>()
  /** How often each action was answered since the last check, with its input. */
  #answered = new Map<string, number>()
  /** How often each method was called, also if it was refused or not answered. */
  #called = new Map<string, number>()
  #hasRepeated = false
  /** The newest entry and commit of the last check. */
  #newest = { entry: 0, seq: 0 }
  /** Entries that were compared. */
  checked = 0

  constructor(data: string) {
    this.#data = data
  }

  onRequest = (request: HttpRequest) => {
    if (!request.path.startsWith(CONTROL)) return
    const name = request.path.slice(CONTROL.length)
    if (REPEATING.includes(name)) this.#hasRepeated = true
    if (!isAction(name)) return
    this.#waiting.set(request, name)
    increase(this.#called, name)
  }

  onResponse = (request: HttpRequest, { status }: Response) => {
    const name = this.#waiting.get(request)
    this.#waiting.delete(request)
    if (name !== undefined && status < 300) increase(this.#answered, describe(name, request.text ?? '{}'))
  }

  /** To be called when no action is being executed. */
  async verify(client: Client): Promise<string[]> {
    const entries = await this.#readEntries()
    const { seq } = await expectSuccess(client.control('world.describe'))
    const { commits } = await expectSuccess(client.control('world.commits', { limit: COMMITS }))
    const fresh = entries.filter(({ uid }) => counterOf(uid) > this.#newest.entry)
    const problems = [
      ...findDisorder(entries, seq),
      ...this.#findMissing(fresh),
      ...(this.#hasRepeated ? [] : this.#findUnknown(fresh)),
      ...this.#findCommitsWithoutEntry(entries, commits),
    ]
    this.checked += fresh.length
    this.#newest = { entry: counterOf(entries.at(-1)?.uid ?? 'o0'), seq }
    this.#answered = new Map()
    this.#called = new Map()
    this.#hasRepeated = false
    return problems
  }

  async #readEntries(): Promise<OperatorAction[]> {
    const entries: OperatorAction[] = []
    for (const path of listLogFiles(join(this.#data, 'acts'))) {
      const { found } = await readLogFile<OperatorAction>(path)
      entries.push(...found.map(({ summary }) => summary))
    }
    return entries
  }

  #findMissing(entries: readonly OperatorAction[]): string[] {
    const logged = new Map<string, number>()
    for (const { name, input } of entries) increase(logged, describe(name, input))
    return [...this.#answered]
      .filter(([action, count]) => (logged.get(action) ?? 0) < count)
      .map(
        ([action, count]) => `${action}: answered ${count} times, in the operator log ${logged.get(action) ?? 0} times`,
      )
  }

  #findUnknown(entries: readonly OperatorAction[]): string[] {
    const logged = new Map<string, number>()
    for (const { name } of entries) increase(logged, name)
    return [...logged]
      .filter(([name, count]) => count > (this.#called.get(name) ?? 0))
      .map(
        ([name, count]) => `${name}: called ${this.#called.get(name) ?? 0} times, in the operator log ${count} times`,
      )
  }

  #findCommitsWithoutEntry(entries: readonly OperatorAction[], commits: readonly Body[]): string[] {
    const problems: string[] = []
    for (const { seq, cause } of commits) {
      const [name] = cause.name.split(' ')
      if (seq <= this.#newest.seq || cause.door !== 'operator' || !isAction(name) || isOfStart(name)) continue
      const isLogged = entries.some((one) => one.name === name && one.seq_before < seq && seq <= one.seq_after)
      if (!isLogged) problems.push(`commit ${seq} was made by ${name}, which is not in the operator log`)
    }
    return problems
  }
}

function findDisorder(entries: readonly OperatorAction[], newest: number): string[] {
  const problems: string[] = []
  for (const [index, { uid, seq_before, seq_after }] of entries.entries()) {
    if (index > 0 && counterOf(uid) <= counterOf(entries[index - 1]!.uid))
      problems.push(`${uid} follows ${entries[index - 1]!.uid} in the operator log`)
    if (seq_before > seq_after || seq_after > newest)
      problems.push(`${uid} of the operator log has the commits ${seq_before} to ${seq_after}, the newest is ${newest}`)
  }
  return problems
}

const counterOf = (uid: string) => Number(uid.slice(1))

/** The name, and the input with its fields in order. */
const describe = (name: string, input: string) => `${name} ${JSON.stringify(sortFields(JSON.parse(input)))}`

const sortFields = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? value.map(sortFields)
      : Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, one]) => [name, sortFields(one)]),
        )

const increase = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
