import { isPersonal, type Kind, kindOf } from './fields.ts'

/** Where a value is: the name of its field, and the object that contains it. */

export type Holder = Readonly<Record<string, unknown>>
export interface Place {
  readonly name: string
  readonly kind: Kind
  readonly holder: Holder
  /** The object that contains the holder. */
  readonly parent: Holder
}
/** Who wrote a text. A caller may use any field names and any texts. */
export type Writer = 'caller' | 'sandbox'
export type Leaf = (value: string | number, place: Place, writer: Writer) => string | number

export const NOWHERE: Place = { name: '', kind: 'free', holder: {}, parent: {} }

/** A field within a personal field is personal. */
export function placeOf(place: Place, name: string, holder: Holder): Place {
  const kind = isPersonal(place.kind) ? place.kind : kindOf(name)
  const isTransmitter = name === 'name' && /transmitter$/.test(place.name)
  return { name, kind: isTransmitter ? 'words' : kind, holder, parent: place.holder }
}

/** True for the settings of a Program and for causes of commits: they have no personal data. */
export function isImpersonal(holder: Holder): boolean {
  return (
    'hmac_key' in holder ||
    'profile_requirements' in holder ||
    ('door' in holder && 'name' in holder) ||
    ('synthetic_account_category' in holder && 'description' in holder)
  )
}

/** True for accounts whose number the sandbox generates; the numbers of external accounts come from callers. */
export function isSandboxAccount(holder: Holder): boolean {
  return (
    holder.synthetic_account_category === 'general' ||
    'account_number_masked' in holder ||
    ('company_ids' in holder && 'primary_account' in holder)
  )
}
