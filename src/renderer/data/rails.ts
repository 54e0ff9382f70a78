import type { Transfer } from '../../api/contract/resources/transfers.ts'

export const RAILS = ['ach', 'wire', 'instant_payment', 'book_transfer'] as const

/** The rail is that of the external account; between two general accounts there is none. */
export const findRail = ({
  ach,
  wire,
  instant_payment,
}: Partial<Pick<Transfer, 'ach' | 'wire' | 'instant_payment'>>) =>
  ach ? 'ach' : wire ? 'wire' : instant_payment ? 'instant_payment' : 'book_transfer'
