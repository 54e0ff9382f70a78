import { z } from 'zod'

/** Schemas that many resources share. */

export const Uid = z.string().meta({ description: 'Identifier created by the service', examples: ['EhrQZJNjCd79LLYq'] })
export type Uid = string

/** An instant, UTC, to the millisecond: `2026-11-20T14:04:18.000Z`. Text of this form sorts as time does. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-11-20T14:04:18.000Z'] })
export type Timestamp = string

/** An instant that a caller gives: with any offset, and as exact as the caller likes. `parseInstant` reads it. */
export const Instant = z.iso.datetime({ offset: true }).meta({ examples: ['2026-11-23T15:00:00Z'] })

/** Dollars and cents as text. The brand prevents adding two amounts as strings. */
export const Money = z
  .string()
  .regex(/^-?\d+\.\d{2}$/)
  .brand<'Money'>()
  .meta({ description: 'US dollars with two decimals', examples: ['12345.67'] })
export type Money = z.infer<typeof Money>

export const ExternalUid = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: 'Identifier chosen by the Client', examples: ['client-generated-42'] })

/** A response with status 204 has no body. */
export const NoContent = z.void()

export const CalendarDate = z.iso.date().meta({ examples: ['2026-11-20'] })

export const RoutingNumber = z
  .string()
  .regex(/^[0-9]{9}$/, { error: 'exactly 9 digits are expected' })
  .meta({ examples: ['091000019'] })
export const AccountNumber = z
  .string()
  .regex(/^[0-9]{1,17}$/, { error: '1 to 17 digits are expected' })
  .meta({ examples: ['4410208817'] })

export const Cidr = z
  .union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], { error: 'a network is expected, as in 127.0.0.0/8' })
  .meta({ description: 'A network, or one address', examples: ['127.0.0.0/8'] })

/** Of a request: a text that may be left out. Assumed (sibling): an empty one is null, in JSON, too. */
export const optionalName = <S extends z.ZodType<string, string>>(schema: S) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable()).optional()

/**
 * A field of a response that is null while there is nothing to show. Records are stored without it, so in their types it is optional.
 */
export const orNull = <S extends z.ZodType>(schema: S) =>
  schema.nullable().default(null as never) as unknown as z.ZodOptional<z.ZodNullable<S>>
