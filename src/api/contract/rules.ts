import { endpoints } from './endpoints.ts'
import { taskKinds, taskRow } from './tasks.ts'

/** The rule behind each cause of a commit, with its section of the specification: for `why` and for the window. */

interface Rule {
  readonly rule: string
  readonly section: string | null
}

const requests: Readonly<Record<string, Rule>> = {
  'POST /customers': { rule: 'A Customer is created in initiated status; every field is optional', section: '4.4' },
  'PUT /customers/{uid}': { rule: 'Customer data is not validated before onboarding, but after it', section: '4.6' },
  'DELETE /customers/{uid}': {
    rule: 'On receipt, status becomes pending_archival and the accounts are locked',
    section: '4.5',
  },
  'POST /customer_products': { rule: 'A valid onboarding request starts KYC/AML', section: '3.2' },
  'POST /synthetic_accounts': { rule: 'External synthetic accounts represent counterparties', section: '1' },
  'POST /transfers': {
    rule: 'A Transfer is queued with its Transaction, and its amount is held at once',
    section: '1',
  },
  'PUT /transfers/{uid}/cancel': {
    rule: 'A queued Transfer can be canceled, and its held amount is released',
    section: '4.1',
  },
  'PUT /transactions/{uid}/authorize': { rule: 'Within its window the Client approves or denies', section: '4.7' },
  'POST /returns': { rule: 'A Return reverses a completed payment within its window', section: '1' },
  'POST /combined_transfers': { rule: 'A counterparty and a Transfer are created in one call', section: '3.3' },
  'POST /sandbox/mock_transactions': { rule: 'A payment from outside is pending at once', section: '4.1' },
}

/** Of a payment received on a VRN, which is asked for or denied. */
const authorizationRules = {
  asked: { rule: 'A payment received on a VRN awaits the authorization of the Client', section: '4.7' },
  denied: { rule: 'A payment to a locked or archived VRN is denied at once', section: '4.7' },
}

/** The others have the summary of their method. */
const operator: Readonly<Record<string, Rule>> = {
  'world.create': { rule: 'Part of the history of the demo world', section: null },
  'transactions.inject': {
    rule: 'A Transaction is also created by movements outside the application, such as card purchases',
    section: '1',
  },
  'programs.create': { rule: 'A Program is configured by the service operator', section: '1' },
  'programs.update': { rule: 'A Program is configured by the service operator', section: '1' },
}

/** The rules with a section of the specification, each once. */
export const rulesBySection: readonly (Rule & { readonly section: string })[] = [
  ...new Map(
    [...Object.values(requests), ...Object.values(taskKinds)].flatMap(({ rule, section }) =>
      section === null ? [] : [[rule, { rule, section }] as const],
    ),
  ).values(),
].sort((a, b) => a.section.localeCompare(b.section, 'en', { numeric: true }))

interface MaybeAuthorized {
  readonly authorization?: { readonly authorization_required_by?: string | null }
}

/** The rule of a cause, as it applies to the record that it created. A request without a row gets the summary of its endpoint. */
export function ruleOf(cause: string, decision?: string, record: MaybeAuthorized = {}): Rule | null {
  if (decision !== undefined) return { rule: `The operator decided: ${decision}`, section: null }
  if (cause === 'POST /sandbox/mock_transactions' && record.authorization)
    return authorizationRules[record.authorization.authorization_required_by ? 'asked' : 'denied']
  const row = requests[cause] ?? taskRow(cause) ?? operator[cause]
  if (row) return row
  const endpoint = Object.values(endpoints).find(({ method, path }) => `${method} ${path}` === cause)
  return endpoint ? { rule: endpoint.summary, section: '4.1' } : null
}
