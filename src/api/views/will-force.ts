import type { EndpointName } from '../contract/endpoints.ts'
import {
  achReturnFor,
  type ForcedOutcomes,
  forcesFailure,
  forcesRegistrationFailure,
  kycTriggerFor,
  nocFor,
  rejectionFor,
} from '../contract/triggers.ts'
import type { ReadTx } from '../store/tx.ts'

/** The outcomes that the data of a request would force (`contract/triggers.ts`), one sentence each. */

type Body = { readonly [field: string]: unknown }

const bodyIn = (value: unknown): Body => (typeof value === 'object' && value !== null ? (value as Body) : {})
const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)

export function outcomesForcedBy(tx: ReadTx, endpoint: EndpointName, sent: unknown): string[] {
  const body = bodyIn(sent)
  const forced = tx.program.forced_outcomes
  if (endpoint === 'createCustomer') {
    const name = textIn(bodyIn(body.details).last_name)
    const trigger = kycTriggerFor(name, forced)
    return trigger ? [`The last_name ${name} leads to kyc_status ${trigger.outcome}.`] : []
  }
  if (endpoint === 'createVirtualReferenceNumber') {
    const name = textIn(body.name)
    if (forcesFailure(name, forced)) return ['The name begins with "fail": the VRN is refused.']
    return forcesRegistrationFailure(name, forced) ? ['The name makes its registration for instant payments fail.'] : []
  }
  if (endpoint === 'createSyntheticAccount') return ofNewAccount(body, forced)
  // The requests that send money to an account or from it. An archival pays the balance out.
  if (endpoint === 'createTransfer' || endpoint === 'archiveCustomer') return ofAccounts(tx, body)
  if (endpoint !== 'createCombinedTransfer') return []
  const account = bodyIn(body.synthetic_account)
  return account.uid == null
    ? ofNewAccount(account, forced)
    : ofAccounts(tx, { ...bodyIn(body.transfer), destination_synthetic_account_uid: account.uid })
}

const ofNewAccount = ({ name, account_number, instant_payment }: Body, forced: ForcedOutcomes | undefined) =>
  ofAccount(
    { name: textIn(name), number: textIn(account_number), rail: instant_payment === undefined ? 'ach' : 'instant' },
    forced,
  )

const ofAccounts = (
  tx: ReadTx,
  { source_synthetic_account_uid: source, destination_synthetic_account_uid: destination }: Body,
) =>
  [source, destination].flatMap((uid) => {
    const account = tx.synthetic_accounts.get(textIn(uid) ?? '')
    if (!account || account.liability) return []
    const rail = account.wire ? 'wire' : account.instant_payment ? 'instant' : 'ach'
    return ofAccount({ name: account.name, number: account.account_number, rail }, tx.program.forced_outcomes)
  })

interface Account {
  readonly name: string | undefined
  readonly number: string | null | undefined
  readonly rail: 'ach' | 'wire' | 'instant'
}

function ofAccount({ name, number, rail }: Account, forced: ForcedOutcomes | undefined): string[] {
  const start = `The account number ends in ${number?.slice(-4) ?? ''}:`
  const returned = rail === 'ach' && achReturnFor(number, forced)
  const corrected = rail === 'ach' && nocFor(number, forced)
  const rejected = rail === 'instant' && rejectionFor(number, forced)
  return [
    ...(forcesFailure(name, forced) ? ['The name of the account begins with "fail": its transfers fail.'] : []),
    ...(returned ? [`${start} an ACH is returned with ${returned} after it has settled.`] : []),
    ...(corrected ? [`${start} an ACH gets the notification of change ${corrected}.`] : []),
    ...(rejected ? [`${start} an instant payment is rejected with ${rejected}.`] : []),
  ]
}
