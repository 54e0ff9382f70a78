import type { EndpointName } from '../../api/contract/endpoints.ts'
import {
  achReturnFor,
  forcesFailure,
  forcesRegistrationFailure,
  kycTriggerFor,
  nocFor,
  rejectionFor,
} from '../../api/contract/triggers.ts'
import { isJsonObject, type JsonObject } from './values.ts'

/** The outcomes that the data of a request forces, one sentence each. */

/** The requests that send money to an account or from it. An archival pays the balance out. */
const MOVES_MONEY: ReadonlySet<EndpointName> = new Set(['createTransfer', 'createCombinedTransfer', 'archiveCustomer'])

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The accounts between which a request moves money. */
export function accountsNamedBy(endpoint: EndpointName, body: JsonObject): string[] {
  const transfer = endpoint === 'createCombinedTransfer' ? body.transfer : body
  if (!MOVES_MONEY.has(endpoint) || !isJsonObject(transfer)) return []
  const named = [
    ...[transfer.source_synthetic_account_uid, transfer.destination_synthetic_account_uid],
    isJsonObject(body.synthetic_account) ? body.synthetic_account.uid : undefined,
  ]
  return named.flatMap((uid) => text(uid) ?? [])
}

/** `accounts` has those that it names. */
export function findForcedOutcomes(
  endpoint: EndpointName,
  body: JsonObject,
  accounts: readonly JsonObject[],
): string[] {
  if (endpoint === 'createCustomer') {
    const trigger = kycTriggerFor(isJsonObject(body.details) ? text(body.details.last_name) : undefined)
    return trigger ? [`The last_name ${trigger.last_name} leads to kyc_status ${trigger.outcome}.`] : []
  }
  if (endpoint === 'createVirtualReferenceNumber') {
    const name = text(body.name)
    if (forcesFailure(name)) return ['The name begins with "fail": the VRN is refused.']
    return forcesRegistrationFailure(name) ? ['The name makes its registration for instant payments fail.'] : []
  }
  if (endpoint === 'createSyntheticAccount')
    return outcomesOfAccount(text(body.name), text(body.account_number), body.instant_payment !== undefined)
  const named = accountsNamedBy(endpoint, body)
  if (!MOVES_MONEY.has(endpoint)) return []
  if (isJsonObject(body.synthetic_account) && body.synthetic_account.uid == null)
    return findForcedOutcomes('createSyntheticAccount', body.synthetic_account, accounts)
  // The last four digits of an account number are enough: they hold the code.
  return accounts
    .filter(({ uid, synthetic_account_category: category }) => category !== 'general' && named.includes(String(uid)))
    .flatMap(({ name, account_number_last_four: number, synthetic_account_category: category }) =>
      category === 'wire_external'
        ? outcomesOfAccount(text(name), undefined, false)
        : outcomesOfAccount(text(name), text(number), category === 'instant_payment_external'),
    )
}

function outcomesOfAccount(name: string | undefined, number: string | undefined, isInstant: boolean): string[] {
  const [returned, corrected, rejected] = isInstant
    ? [undefined, undefined, rejectionFor(number)]
    : [achReturnFor(number), nocFor(number), undefined]
  const end = number?.slice(-4) ?? ''
  return [
    ...(forcesFailure(name) ? ['The name of the account begins with "fail": its transfers fail.'] : []),
    ...(returned
      ? [`The account number ends in ${end}: an ACH is returned with ${returned} after it has settled.`]
      : []),
    ...(corrected ? [`The account number ends in ${end}: an ACH gets the notification of change ${corrected}.`] : []),
    ...(rejected ? [`The account number ends in ${end}: an instant payment is rejected with ${rejected}.`] : []),
  ]
}
