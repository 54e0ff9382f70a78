import type { Hint } from '../contract/control/exchanges.ts'
import type { ApiError } from '../contract/errors.ts'
import { type DrawnSetting, drawnSettings, drawnValues } from '../contract/resources/programs.ts'
import type { Endpoint } from '../contract/terms/endpoint.ts'
import { defaultLimitOf, type Query } from '../contract/terms/list.ts'
import type { ProgramRecord } from '../store/world.ts'

/** A response that hard_mode has made another one than usual has a hint with the setting that it drew. */

const isDrawn = (program: ProgramRecord, setting: DrawnSetting) =>
  program.drawn_settings.includes(setting) && program[setting] !== drawnValues[setting][0]

const toHint = (program: ProgramRecord, setting: DrawnSetting): Hint => ({
  at: setting,
  text: `hard_mode ${program.hard_mode} has drawn ${setting} ${program[setting]}, which decides this response`,
})

export function findRefusalHints(program: ProgramRecord, { setting }: ApiError): Hint[] {
  const found = drawnSettings.filter((one) => one === setting && isDrawn(program, one))
  return found.map((one) => toHint(program, one))
}

/** What a response has that the setting changes. `value`: before it is printed. */
interface Answered {
  readonly hasTrace: boolean
  readonly endpoint: Endpoint
  readonly query: Query
  readonly value: unknown
}

const appliesTo: { readonly [S in DrawnSetting]?: (answered: Answered) => boolean } = {
  trace_ids_optional: ({ hasTrace }) => !hasTrace,
  shows_nulls: ({ value }) => value !== undefined,
  list_order: ({ query, value }) => itemsOf(value).length > 1 && query.sort === undefined,
  maximum_limit: ({ endpoint, query, value }) =>
    isPage(value) && (query.limit ?? defaultLimitOf(endpoint.query)) > value.limit,
  book_transfer_events: ({ value }) =>
    [value, ...itemsOf(value)].some(
      (it) => hasFields(it) && it.type === 'book_transfer' && isFilled(it.transaction_event_uids),
    ),
}

export function findResponseHints(program: ProgramRecord, answered: Answered): Hint[] {
  const found = program.drawn_settings.filter((one) => isDrawn(program, one) && appliesTo[one]?.(answered))
  return found.map((one) => toHint(program, one))
}

const hasFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const isPage = (value: unknown): value is { readonly limit: number; readonly data: readonly unknown[] } =>
  hasFields(value) && Array.isArray(value.data)
const itemsOf = (value: unknown) => (isPage(value) ? value.data : [])
const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0
