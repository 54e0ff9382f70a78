import type { ForcedOutcomes, outcomeOf } from '../../contract/triggers.ts'
import type { ProgramRecord, StoredRecord } from '../../store/world.ts'
import { isProgram } from './map-records.ts'

type Outcome = NonNullable<ReturnType<typeof outcomeOf>>

export interface MaskedOutcome {
  readonly field: string
  readonly pseudonym: string
  readonly outcome: Outcome
}

/**
 * Values that force an outcome are masked like all others. What they force is written into the Programs of the bundle, by
 * pseudonym, so a replay still has the same outcomes.
 */
export function outcomesByPseudonym(masked: readonly MaskedOutcome[]): ForcedOutcomes | undefined {
  if (masked.length === 0) return undefined
  const tables: Record<keyof ForcedOutcomes, Record<string, Outcome>> = {
    last_names: {},
    names: {},
    account_numbers: {},
  }
  for (const { field, pseudonym, outcome } of masked)
    if (field === 'account_number') tables.account_numbers[pseudonym] = outcome
    else tables[field === 'last_name' ? 'last_names' : 'names'][pseudonym.trim().toLowerCase()] = outcome
  return tables as unknown as ForcedOutcomes
}

/** The outcomes of a world from a bundle, where each Program has all of them; undefined for any other world. */
export const importedOutcomes = (programs: readonly ProgramRecord[]): ForcedOutcomes | undefined =>
  programs.find(({ forced_outcomes }) => forced_outcomes)?.forced_outcomes

/** Replaces the outcomes of a Program; other records stay. */
export function withOutcomes(record: StoredRecord, outcomes: ForcedOutcomes | undefined): StoredRecord {
  if (!isProgram(record)) return record
  const { forced_outcomes: _, ...program } = record as StoredRecord & { forced_outcomes?: ForcedOutcomes }
  return { ...program, ...(outcomes ? { forced_outcomes: outcomes } : {}) } as StoredRecord
}
