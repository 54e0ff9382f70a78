import { ApiError } from '../../contract/errors.ts'
import { isStructured } from '../../contract/terms/addresses.ts'
import type { ProgramRecord } from '../../store/world.ts'

/** Assumed (sibling; wire_addresses): an address of a wire in a form that the Program does not accept is 400/1007; a missing one is accepted. */
export function refuseOtherForm(program: ProgramRecord, field: string, address: object | null | undefined) {
  const { wire_addresses } = program
  if (address == null || wire_addresses === 'both') return
  if (isStructured(address) === (wire_addresses === 'structured')) return
  const fields =
    wire_addresses === 'structured' ? 'city and country, and the parts of the street' : 'line1, line2, line3, country'
  const extra = `${field}: this Program accepts ${wire_addresses} addresses only: ${fields}`
  throw new ApiError('invalidArgument', extra, undefined, undefined, { setting: 'wire_addresses' })
}
