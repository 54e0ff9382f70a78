import {
  achReturnFor,
  type ForcedOutcomes,
  forcesFailure,
  forcesRegistrationFailure,
  kycTriggerFor,
  nocFor,
  rejectionFor,
} from '../../contract/triggers.ts'
import type { ProgramRecord, StoredRecord } from '../../store/world.ts'
import { isProgram } from './map-records.ts'

/** Fields whose beginning forces a failure. */
const NAMES = new Set(['name', 'counterparty_name'])

/**
 * Values that force an outcome are masked like all others. What they force is written into the Programs of the bundle, by
 * pseudonym, so a replay still has the same outcomes.
 */
export class OutcomeCollector {
  readonly #before: ForcedOutcomes | undefined
  readonly #last_names: Record<string, string> = {}
  readonly #names: Record<string, string> = {}
  readonly #account_numbers: Record<string, object> = {}

  /** `before`: the outcomes of the masked world, if it comes from a bundle itself. */
  constructor(before: ForcedOutcomes | undefined) {
    this.#before = before
  }

  addValue(field: string, value: string, pseudonym: string) {
    if (value === pseudonym) return
    const key = pseudonym.trim().toLowerCase()
    if (field === 'last_name') {
      const trigger = kycTriggerFor(value, this.#before)
      if (trigger) this.#last_names[key] = trigger.outcome
    }
    if (field === 'account_number') this.#addAccount(value, pseudonym)
    else if (!NAMES.has(field)) return
    else if (forcesFailure(value, this.#before)) this.#names[key] = 'failure'
    else if (forcesRegistrationFailure(value, this.#before)) this.#names[key] = 'registration failure'
  }

  #addAccount(value: string, pseudonym: string) {
    const found = {
      ach_return: achReturnFor(value, this.#before),
      noc: nocFor(value, this.#before),
      rejection: rejectionFor(value, this.#before),
    }
    const codes = Object.fromEntries(Object.entries(found).filter(([, code]) => code !== undefined))
    if (Object.keys(codes).length > 0) this.#account_numbers[pseudonym] = codes
  }

  get outcomes(): ForcedOutcomes | undefined {
    const all = { last_names: this.#last_names, names: this.#names, account_numbers: this.#account_numbers }
    return Object.values(all).some((table) => Object.keys(table).length > 0)
      ? (structuredClone(all) as ForcedOutcomes)
      : undefined
  }
}

/** True if a field with this text forces an outcome by itself. */
export const forcesOutcome = (field: string, text: string): boolean =>
  (field === 'last_name' && kycTriggerFor(text) !== undefined) ||
  (NAMES.has(field) && (forcesFailure(text) || forcesRegistrationFailure(text))) ||
  (field === 'account_number' && [achReturnFor, nocFor, rejectionFor].some((codeFor) => codeFor(text) !== undefined))

/** The outcomes of all Programs of a world; undefined if it does not come from a bundle. */
export function mergeOutcomes(programs: readonly ProgramRecord[]): ForcedOutcomes | undefined {
  const all = programs.flatMap(({ forced_outcomes }) => forced_outcomes ?? [])
  if (all.length === 0) return undefined
  return {
    last_names: Object.assign({}, ...all.map(({ last_names }) => last_names)),
    names: Object.assign({}, ...all.map(({ names }) => names)),
    account_numbers: Object.assign({}, ...all.map(({ account_numbers }) => account_numbers)),
  }
}

/** Replaces the outcomes of a Program; other records stay. */
export function withOutcomes(record: StoredRecord, outcomes: ForcedOutcomes | undefined): StoredRecord {
  if (!isProgram(record)) return record
  const { forced_outcomes: _, ...program } = record as StoredRecord & { forced_outcomes?: ForcedOutcomes }
  return { ...program, ...(outcomes ? { forced_outcomes: outcomes } : {}) } as StoredRecord
}
