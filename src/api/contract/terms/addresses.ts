import { z } from 'zod'

/** Postal addresses of counterparties, banks and transmitters: in lines for wires, in parts for instant payments. */

export const pattern = (regex: RegExp, error: string, example?: string) => {
  const text = z.string().regex(regex, { error })
  return example === undefined ? text : text.meta({ examples: [example] })
}

/** A text field that also accepts a number, as some published examples send one. */
export const acceptNumber = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (typeof value === 'number' ? String(value) : value), schema)

const ODD = '#@$!"%&*;<>{}_^\\\\~\\]['
export const line = (most: number, least = 0) =>
  z.string().regex(new RegExp(`^[^${ODD}]{${least},${most}}$`), {
    error: `at most ${most} plain characters are expected`,
  })
/** The text without the characters that a line does not allow, cut to its length. */
export const toLine = (text: string, most: number) => text.replace(new RegExp(`[${ODD}]`, 'g'), '').slice(0, most)

const optionalLine = (most: number) => line(most).nullable().optional()

export const Country = pattern(/^[a-zA-Z]{2}$/, 'two letters are expected', 'US')

export const AddressLines = z.object({
  line1: optionalLine(35).meta({ examples: ['12 Harbor Street'] }),
  line2: optionalLine(35),
  line3: optionalLine(32).meta({ examples: ['Ames IA 50010'] }),
  country: Country.nullable().optional(),
})

/** Fields that only the structured form of a wire address has. */
const structuredFields = {
  building_number: optionalLine(33),
  street_name: optionalLine(33),
  city: optionalLine(33).meta({ description: 'Required in a structured address' }),
  state: optionalLine(33),
  postal_code: pattern(/^\d{5}(-\d{4})?$/, 'a ZIP or ZIP+4 is expected')
    .nullable()
    .optional(),
}
export const wireAddressFields = { ...AddressLines.shape, ...structuredFields }

/** Assumed (invented): a wire address with a field that only the structured form has is structured. */
export const isStructured = (address: object): boolean =>
  Object.keys(structuredFields).some((field) => (address as Record<string, unknown>)[field] != null)

/** The structured form needs a city and a country, and has two shorter lines. */
export function checkWireAddress(address: object, context: z.RefinementCtx) {
  if (!isStructured(address)) return
  const given = address as Record<string, unknown>
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message, input: given[field] })
  for (const field of ['city', 'country']) if (given[field] == null) refuse(field, 'a text is expected')
  for (const field of ['line1', 'line2'])
    if (String(given[field] ?? '').length > 33) refuse(field, 'at most 33 plain characters are expected')
  if (given.line3 != null) refuse('line3', 'a structured address has no third line')
}

/** In lines, or structured as newer clients send it; the Program may accept one form only. */
export const WireAddress = z.object(wireAddressFields).superRefine(checkWireAddress)

const StreetNumberText = pattern(/^[a-zA-Z0-9]{1,16}$/, '1 to 16 letters and digits are expected', '12')
/** Published examples send a number. */
export const StreetNumber = acceptNumber(StreetNumberText)
export const City = pattern(/^[a-zA-Z-. /]{1,35}$/, '1 to 35 letters are expected', 'Ames')
export const State = pattern(/^[a-zA-Z]{2}$/, 'two letters are expected', 'IA')
export const PostalCode = pattern(/^\d{5}(-\d{4})?$/, 'a ZIP or ZIP+4 is expected', '50010')

/** The published interface requires the last four fields and lets each be null. */
export const StructuredAddress = z.object({
  street_number: StreetNumber,
  street1: pattern(/^[a-zA-Z0-9-. #/]{3,70}$/, '3 to 70 plain characters are expected', 'Harbor Street'),
  street2: pattern(/^[a-zA-Z0-9-. #/]{1,70}$/, '1 to 70 plain characters are expected')
    .nullable()
    .optional(),
  city: City.nullable(),
  state: State.nullable(),
  postal_code: PostalCode.nullable(),
  country: Country.nullable(),
})
