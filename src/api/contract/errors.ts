import { cutText } from './terms/texts.ts'

/**
 * Every error the API can answer, one row each: key → status, code, title, detail.
 *
 * Code 6009 comes from the specification, codes up to 1011 and from 2000 on are published by the platform, and 1012 to
 * 1019 are ours. A `raised` error is sent, and a test provokes each; an `inside` error only appears inside a resource;
 * a `never` error cannot happen here, for the stated reason.
 *
 * Assumed (invented): for errors without a published code: a caller that is not allowed is 403/1013, a wrong
 * method 405/1014, a media type 415/1015, a body over 1 MB 413/1016, too many requests 429/1017, creating a Customer
 * in a Program whose Client is the Customer 403/1018, and an unknown uid without a code of its own 404/1019.
 */

export interface ErrorRow {
  readonly status: number
  readonly code: number
  readonly title: string
  readonly detail: string
  /** `true`, `'inside'` (only inside a resource), or why it never happens here. */
  readonly raised: true | 'inside' | { readonly never: string }
  /** For the window: how to fix the request, and the section of the specification. */
  readonly pass?: string
  readonly section?: string
  readonly assumed?: true
}

type ErrorText = readonly [status: number, code: number, title: string, detail: string]
type Extras = Pick<ErrorRow, 'pass' | 'section' | 'assumed'>

const row = ([status, code, title, detail]: ErrorText, raised: ErrorRow['raised'], more: Extras = {}): ErrorRow => ({
  status,
  code,
  title,
  detail,
  raised,
  ...more,
})
const raised = (...words: ErrorText) => row(words, true)
const inside = (...words: ErrorText) => row(words, 'inside')
const never = (because: string, ...words: ErrorText) => row(words, { never: because })
const withFix = (error: ErrorRow, pass: string, section?: string): ErrorRow => ({
  ...error,
  pass,
  ...(section ? { section } : {}),
})
const assumed = (error: ErrorRow): ErrorRow => ({ ...error, assumed: true })

const unexpected = 'an unexpected failure answers 1000 and changes nothing; a fault can answer with any code'
const elsewhere = 'the specification accepts what this code would refuse'
const noEndpoint = 'only the operator does this, by the control API, which has its own error messages'

export const errors = {
  // ── General ────────────────────────────────────────────────────────────────────────────────────────────────────
  internal: withFix(
    raised(500, 1000, 'Internal Server', 'Something went wrong.'),
    'This is a defect of the sandbox, not of the request. Nothing was changed. The terminal shows the cause.',
  ),
  routeNotFound: withFix(
    raised(404, 1001, 'Page Not Found', "The route you're looking for does not exist."),
    'Check the method and the path: the base URL ends in /api/v1, and the paths are those of the specification.',
    '4.1',
  ),
  unparseableDate: withFix(
    raised(
      400,
      1002,
      'Unparseable Date Format',
      'Could not parse date. Please try ISO 8601 calendar date in extended format (YYYY-MM-DD).',
    ),
    'Send an ISO 8601 date or timestamp, such as 2026-11-20.',
    '4.1',
  ),
  missingParameter: withFix(
    raised(
      400,
      1003,
      'Missing Request Parameter',
      'At least one parameter is missing. Cannot continue with the request',
    ),
    'Add the field named in `extra`.',
    '4',
  ),
  unauthorized: withFix(
    raised(401, 1004, 'Unauthorized', 'Invalid or expired authentication.'),
    'Sign a fresh refresh token with HS512, exchange it at POST /auth, and send the whole value that begins with auth-.',
    '5',
  ),
  invalidLimit: withFix(
    raised(400, 1005, 'Invalid Limit Value', 'The limit parameter value cannot be negative.'),
    'Send a limit of 0 or more; above 1,000 it is clamped.',
    '4.1',
  ),
  invalidSort: withFix(
    raised(
      400,
      1006,
      'Invalid Sort Pattern',
      'The sort parameter value must match the field_name_order pattern (example: "email_asc").',
    ),
    'Use one of the sorts of this list, such as email_asc.',
    '4.3',
  ),
  invalidArgument: withFix(
    raised(400, 1007, 'Invalid Method Argument', 'At least one argument is invalid. Cannot continue with the request.'),
    'Correct what `extra` names.',
    '2',
  ),
  archivedCustomer: withFix(
    raised(422, 1008, 'Archived Customer', 'The Customer is archived. Cannot continue with the request.'),
    'Use another Customer: archived ones can only be read.',
    '4.5',
  ),
  archivedPool: never(
    'a Pool has no status: its Customer answers 1008',
    422,
    1009,
    'Archived Pool',
    'The Pool is archived. Cannot continue with the request.',
  ),
  inactiveCustomer: withFix(
    raised(422, 1010, 'Inactive Customer', 'The Customer is not active. Cannot continue with the request.'),
    'Wait until the Customer is active: GET /customers/{uid} shows its status. You can advance the clock.',
    '3.1',
  ),
  customerNotUpdatable: withFix(
    raised(
      422,
      1011,
      'Customer Not In Updatable Status',
      'Customer not in updatable status. Cannot continue with the request.',
    ),
    'Edit the Customer before onboarding, or when it is active.',
    '4.6',
  ),
  duplicateTraceId: assumed(
    withFix(
      raised(409, 1012, 'Duplicate trace id', 'The x-trace-id was already used within the last 7 days.'),
      'Create a new x-trace-id for every request, for example a UUID. The 7 days are simulated time.',
      '5',
    ),
  ),
  notAllowed: assumed(
    withFix(
      raised(403, 1013, 'Not Allowed', 'Requests from this address, Host or Origin are not allowed.'),
      "Call from an address on the Program's allowlist (sandbank serve --allow CIDR) and with a known host name (--allow-host NAME).",
      '5',
    ),
  ),
  methodNotAllowed: assumed(
    withFix(
      raised(405, 1014, 'Method Not Allowed', 'The method is not supported by this endpoint.'),
      'The Allow header lists the methods of this path.',
      '4.1',
    ),
  ),
  unsupportedMediaType: assumed(
    withFix(
      raised(415, 1015, 'Unsupported Media Type', 'The body must be JSON-encoded or form-encoded.'),
      'Send Content-Type: application/json, or application/x-www-form-urlencoded; neither compressed.',
      '1',
    ),
  ),
  bodyTooLarge: assumed(
    withFix(raised(413, 1016, 'Body Too Large', 'The body must not be larger than 1 MB.'), 'Send less than 1 MB.', '1'),
  ),
  tooManyRequests: assumed(
    withFix(
      raised(429, 1017, 'Too Many Requests', 'Too many requests. Try again later.'),
      'Wait for the seconds in the header Retry-After, then send the request again. The operator set this limit.',
    ),
  ),
  creationByOperator: assumed(
    withFix(
      raised(
        403,
        1018,
        'Customer Creation Not Allowed',
        'The Client is itself the Customer in this Program; its Customers are created by the service operator.',
      ),
      'Use an existing Customer (GET /customers), or let the operator create one.',
      '1',
    ),
  ),
  unknownRecord: assumed(
    withFix(
      raised(404, 1019, 'Unknown uid', 'Could not find a record with this uid.'),
      'Send the uid of a record of this Program: the list of the resource has them.',
      '4.1',
    ),
  ),

  // ── Synthetic Accounts ─────────────────────────────────────────────────────────────────────────────────────────
  syntheticAccountNotFound: withFix(
    raised(404, 2000, 'Unknown Synthetic Account', 'Could not find Synthetic Account'),
    'Use a uid from GET /synthetic_accounts, read with a token of the same Program.',
    '1',
  ),
  syntheticAccountNotArchivable: never(
    'each reason has its own code, 2003 to 2017',
    422,
    2001,
    'Cannot archive Synthetic Account',
    'Synthetic Account could not be archived.',
  ),
  syntheticAccountExists: withFix(
    raised(409, 2002, 'Synthetic Account already exists', 'Synthetic Account could not be created or updated'),
    'Use the existing account, or another external_uid, name or account number.',
    '1',
  ),
  masterAccountNotArchivable: withFix(
    raised(
      422,
      2003,
      'Cannot archive master Synthetic Account',
      'The master Synthetic Account for a Customer cannot be archived.',
    ),
    'The master account is archived with its Customer.',
    '1',
  ),
  syntheticAccountHasBalance: withFix(
    raised(
      422,
      2004,
      'Cannot archive Synthetic Account with balance',
      'A Synthetic Account with a non-zero balance cannot be archived',
    ),
    'Move the balance to another account first.',
    '4.1',
  ),
  syntheticAccountHasTransfer: withFix(
    raised(
      422,
      2005,
      'Cannot archive Synthetic Account with pending Transfer',
      'A Synthetic Account with a pending Transfer cannot be archived',
    ),
    'Wait until its Transfers are settled or failed, or cancel them.',
    '4.1',
  ),
  syntheticAccountNotGeneral: never(
    'the specification does not restrict archiving to a category',
    422,
    2006,
    'Cannot archive non-general Synthetic Account',
    'Synthetic Accounts must be of the general type to be archived.',
  ),
  syntheticAccountNotUpdatable: withFix(
    raised(422, 2007, 'Cannot update Synthetic Account', 'Synthetic Account could not be updated.'),
    'Send only name, external_uid and the details of the counterparty, for an active account.',
    '4.1',
  ),
  syntheticAccountNoteMissing: withFix(
    raised(400, 2008, 'Cannot update Synthetic Account', 'A note is required to update Synthetic Accounts.'),
    'Send a note with the reason for the change.',
    '4.1',
  ),
  generalAccountsExhausted: withFix(
    raised(
      422,
      2009,
      'Could not create Synthetic Account',
      "The count of this customer's active synthetic accounts in the general synthetic account category has reached the maximum.",
    ),
    "Archive a general account, or let the operator raise the Program's limit.",
    '1',
  ),
  externalAccountAlreadyOpen: withFix(
    raised(
      422,
      2010,
      'Could not create Synthetic Account',
      'This customer already has an active or initiated synthetic account in the external synthetic account category.',
    ),
    "Use the existing external account, or let the operator remove the Program's limit.",
    '1',
  ),
  syntheticAccountsNotRetrieved: never(
    unexpected,
    422,
    2011,
    'Failed to retrieve synthetic accounts',
    'An exception occurred while retrieving synthetic accounts.',
  ),
  externalAccountsExhausted: withFix(
    raised(
      422,
      2013,
      'Could not create Synthetic Account',
      'The unique external account limit for this customer has been reached.',
    ),
    "Use an existing external account, or let the operator raise the Program's limit.",
    '1',
  ),
  externalAccountTooRecent: withFix(
    raised(422, 2014, 'Could not create Synthetic Account', 'An external account has been created too recently.'),
    'Wait for the time that the Program requires between two external accounts. You can advance the clock.',
    '1',
  ),
  externalAccountTooOften: withFix(
    raised(
      422,
      2015,
      'Could not create Synthetic Account',
      'This external account has been associated with this customer too many times.',
    ),
    "Use another account number, or let the operator raise the Program's limit.",
    '1',
  ),
  outboundAchAccountsExhausted: withFix(
    raised(
      422,
      2016,
      'Could not create Synthetic Account',
      'This customer has reached the outbound ACH external account limit',
    ),
    "Archive an external ACH account, or let the operator raise the Program's limit.",
    '1',
  ),
  syntheticAccountNotActive: withFix(
    raised(422, 2017, 'Cannot archive Synthetic Account', "Synthetic Account must be in 'active' status to archive"),
    'Only active accounts can be archived.',
    '4.1',
  ),

  // ── Transfers ──────────────────────────────────────────────────────────────────────────────────────────────────
  transferNotFound: withFix(
    raised(404, 3000, 'Unknown transfer uid', 'Could not find transfer. Invalid uid.'),
    'Use a uid from GET /transfers, read with a token of the same Program.',
    '4.1',
  ),
  transferNotCreated: never(
    unexpected,
    422,
    3001,
    'Could not initiate transfer',
    'An exception occurred while creating transfer.',
  ),
  transferAmountNotNumeric: withFix(
    raised(400, 3002, 'Could not initiate transfer', 'Requested transfer amount in US dollars must be numeric.'),
    'Send usd_transfer_amount as plain decimal text, such as "12.34".',
    '4.1',
  ),
  transferAmountNotPositive: withFix(
    raised(400, 3003, 'Could not initiate transfer', 'Requested transfer amount in US dollars must be greater than 0.'),
    'Send an amount above 0; only a prenote has 0.00.',
    '4.1',
  ),
  insufficientFunds: withFix(
    raised(422, 3004, 'Could not initiate transfer', 'Source has insufficient funds for transfer.'),
    "Send at most the source's net_usd_available_balance, or add money with a mock transaction first.",
    '1',
  ),
  sameAccounts: withFix(
    raised(400, 3005, 'Same source and destination accounts', 'The source and destination accounts are identical.'),
    'Name two different accounts.',
    '4.1',
  ),
  transferProhibited: withFix(
    raised(422, 3006, 'Could not initiate transfer', 'Requested transfer between the chosen accounts is prohibited.'),
    'Use a general account of the initiating Customer for at least one side, and onboard the Customer to a Product with the rail; two external accounts cannot pay each other.',
    '1',
  ),
  accountDiscarded: withFix(
    raised(
      422,
      3007,
      'Source or Destination Account is discarded',
      'Transfers to or from a discarded account are not allowed.',
    ),
    'Use active accounts: archived and failed ones cannot pay or receive.',
    '1',
  ),
  accountLocked: withFix(
    raised(
      422,
      3008,
      'Source or Destination Account is locked',
      'Transfers to or from a locked account or an account that belongs to a locked customer are prohibited.',
    ),
    'Let the operator unlock the Customer, or use accounts of another one.',
    '2.1',
  ),
  dailyTransfersExhausted: withFix(
    raised(
      422,
      3010,
      'Customer daily external transfer request maximum has been reached',
      'The maximum number of daily external transfers defined in the Program configuration has been reached.',
    ),
    "Wait for the next day (the clock can be advanced), or let the operator raise the Program's limit.",
    '8',
  ),
  dailyAmountExhausted: withFix(
    raised(
      422,
      3011,
      'Customer daily external transfer amount has been reached',
      "This transfer request exceeds the customer's daily external transfer US dollar amount limit.",
    ),
    "Wait for the next day (the clock can be advanced), or let the operator raise the Program's limit.",
    '8',
  ),
  transferAboveMaximum: withFix(
    raised(
      422,
      3012,
      'Transfer amount exceeds program maximum',
      'This transfer exceeds the maximum dollar amount allowed in the Program configuration.',
    ),
    "Send less in one transfer, or let the operator raise the Program's limit for this rail.",
    '8',
  ),
  transferBelowMinimum: withFix(
    raised(
      422,
      3013,
      'Transfer amount below program minimum',
      'This transfer does not meet the minimum dollar amount required in the Program configuration.',
    ),
    "Send more in one transfer, or let the operator lower the Program's limit for this rail.",
    '8',
  ),
  transfersNotRetrieved: never(
    unexpected,
    422,
    3014,
    'Failed to retrieve transfers',
    'An exception occurred while retrieving transfers.',
  ),
  custodialTransferNotCreated: never(
    unexpected,
    422,
    3015,
    'Could not initiate transfer',
    'An exception occurred while creating the custodial transfer.',
  ),
  accountInactive: never(
    'accounts are active from the start here, and archived ones answer 3007',
    422,
    3016,
    'Source or Destination Account is inactive',
    "Transfers to or from an account not in 'active' status are prohibited.",
  ),
  transferNotCancelable: withFix(
    raised(
      400,
      3025,
      'Transfer cannot be canceled',
      'The transfer submitted cannot be canceled. Please verify the transfer UIDs, the type of transfer (wire or ACH), and the status of the transfer being canceled.',
    ),
    'Cancel a wire or ACH while it is queued or pending.',
    '4.1',
  ),
  transferNotCanceled: withFix(
    raised(422, 3026, 'Could not cancel transfer', 'An exception occurred while canceling the transfer'),
    'Cancel earlier: a payment that has been submitted cannot be canceled.',
    '4.1',
  ),

  // ── Customers ──────────────────────────────────────────────────────────────────────────────────────────────────
  customerNotCreated: never(
    unexpected,
    422,
    4000,
    'Could not create customer',
    'An exception occurred while creating a customer.',
  ),
  customerNotUpdated: never(
    unexpected,
    422,
    4001,
    'Could not update customer',
    'An exception occurred while updating the customer.',
  ),
  customerNotFound: withFix(
    raised(404, 4002, 'Unknown customer', 'Could not find customer. Invalid customer uid.'),
    'Use a uid from GET /customers?include_initiated=true, read with a token of the same Program.',
    '1',
  ),
  customerLocked: withFix(
    raised(422, 4003, 'Locked customer', 'No activities regarding this customer are allowed at this time.'),
    'The operator has locked the Customer; unlock it with an operator decision.',
    '2.1',
  ),
  customerNotArchived: never(
    unexpected,
    422,
    4004,
    'Could not archive customer',
    'An exception occurred while archiving the customer.',
  ),
  customerHasBalance: never(
    `${elsewhere}: a positive balance is refunded (section 4.5)`,
    422,
    4005,
    'Could not archive customer',
    'A customer with a non-zero balance cannot be archived.',
  ),
  customerHasTransfer: never(
    `${elsewhere}: the Customer waits in pending_archival (section 4.5)`,
    422,
    4006,
    'Could not archive customer',
    'A customer with a pending transfer cannot be archived.',
  ),
  customerNotLocked: never(
    unexpected,
    422,
    4007,
    'Could not lock customer',
    'An exception occurred while locking the customer.',
  ),
  lockReasonMissing: never(
    noEndpoint,
    400,
    4008,
    'Could not lock customer',
    'lock_reason must be provided in order to lock the customer.',
  ),
  customerNotUnlocked: never(
    unexpected,
    422,
    4009,
    'Could not unlock customer',
    'An exception occurred while unlocking the customer.',
  ),
  customerNotFullyLocked: never(
    unexpected,
    422,
    4010,
    'Could not lock customer properly',
    'An exception occurred while locking at least one custodial account that belongs to the customer. Some lock features are in place, such as rejecting ODFI transfer requests, but not all RDFI transfers or debit card transactions will be blocked.',
  ),
  onboardingIncomplete: withFix(
    raised(
      422,
      4011,
      'Incomplete customer onboarding',
      'The customer must complete the onboarding process or be enrolled in additional product(s) before proceeding.',
    ),
    'Onboard the Customer to the Products that `extra` names first.',
    '1',
  ),
  customerDetailsNotSaved: never(
    unexpected,
    422,
    4012,
    'Could not save customer details',
    'An exception occurred when creating or updating customer details.',
  ),
  verificationNotInitiated: never(
    unexpected,
    422,
    4013,
    'Could not initiate customer verification',
    'An exception occurred while initiating customer verification.',
  ),
  confirmationNotInitiated: never(
    unexpected,
    422,
    4014,
    'Could not initiate customer confirmation',
    'An exception occurred while initiating customer confirmation.',
  ),
  malformedUpdate: withFix(
    raised(400, 4015, 'Malformed update parameter', 'One or more parameters were not formatted correctly.'),
    'Correct what `extra` names.',
    '4.6',
  ),
  customerInUse: withFix(
    raised(
      422,
      4016,
      'Customer already in use',
      'The supplied Customer information is already associated with the Program.',
    ),
    "Send an external_uid that no Customer of any of the Client's Programs has, or a Product that the Customer does not have.",
    '2.1',
  ),
  customersNotRetrieved: never(
    unexpected,
    422,
    4017,
    'Failed to retrieve customers',
    'An exception occurred while retrieving customers.',
  ),
  piiFrozen: withFix(
    raised(422, 4018, 'PII Frozen', 'Cannot update PII once identity verification has begun.'),
    'Edit the Customer before onboarding; when it is active, send only the seven editable fields.',
    '4.6',
  ),
  piiMissing: never(
    'missing PII is refused with 4111',
    422,
    4019,
    'PII Missing',
    'PII could not be obtained for the customer.',
  ),
  customerDetailsIncomplete: withFix(
    raised(422, 4111, 'Incomplete Customer details', 'Customer is missing required information.'),
    'Add the fields named in `extra` with PUT /customers/{uid}, then onboard again.',
    '2.3',
  ),

  // ── Transactions and authorization ─────────────────────────────────────────────────────────────────────────────
  authorizationFailed: never(
    unexpected,
    422,
    6008,
    'Transaction cannot be authorized',
    'An exception occurred while authorizing transaction',
  ),
  authorizationFinal: withFix(
    raised(400, 6009, 'Transaction cannot be authorized', 'Authorization status does not allow updates'),
    'Decide once: an approval or denial cannot be changed.',
    '4.7',
  ),
  authorizationExpired: withFix(
    raised(400, 6010, 'Transaction cannot be authorized', 'Transaction authorization window has passed'),
    'Decide before authorization_required_by.',
    '4.7',
  ),
  authorizationIneligible: withFix(
    raised(400, 6011, 'Transaction cannot be authorized', 'Transaction is not eligible for authorization'),
    'Choose a payment that was received on a VRN and has an authorization.',
    '4.7',
  ),
  authorizationDisabled: withFix(
    raised(
      403,
      6012,
      'Client authorization is not enabled',
      'This program is not configured for client authorization of transactions.',
    ),
    'Let the operator enable client authorization for the Program.',
    '4.7',
  ),

  // ── Returns, first code ────────────────────────────────────────────────────────────────────────────────────────
  returnsDisabled: withFix(
    raised(403, 18007, 'Returns not enabled', 'Returns are not enabled for this program.'),
    'Let the operator enable Returns for the Program.',
    '4.1',
  ),

  // ── VRNs ───────────────────────────────────────────────────────────────────────────────────────────────────────
  vrnNotFound: withFix(
    raised(404, 30000, 'Unknown VRN', 'Could not find Virtual Reference Number. Invalid VRN uid'),
    'Use the uid of a VRN from its list, read with a token of the same Program.',
    '4.1',
  ),
  vrnNotCreated: withFix(
    raised(422, 30001, 'Failed to create VRNs', 'An exception occurred while creating VRNs'),
    'Choose a name that does not begin with "fail": such a name forces this error.',
    '4.1',
  ),
  vrnAccountIneligible: withFix(
    raised(
      422,
      30002,
      'The Synthetic Account provided is ineligible for VRNs',
      'The Synthetic Account must be an active, general, liability account',
    ),
    'Choose an active general account.',
    '4.1',
  ),
  vrnsNotRetrieved: never(
    unexpected,
    422,
    30003,
    'Failed to retrieve VRNs',
    'An exception occurred while retrieving VRNs',
  ),
  vrnNotUpdated: withFix(
    raised(422, 30004, 'Failed to update VRNs', 'An exception occurred while updating VRNs'),
    'Choose an external_uid that no other VRN has.',
    '4.1',
  ),
  vrnArchived: withFix(
    raised(422, 30005, 'Archived VRN', 'Cannot use archived VRN'),
    'Use an active VRN: archiving is final.',
    '4.1',
  ),
  vrnAlreadyLocked: withFix(
    raised(
      422,
      30010,
      'VRN is already locked',
      'The Virtual Reference Number is already locked and cannot be locked again',
    ),
    'Nothing to do: it is locked.',
    '4.1',
  ),
  vrnAlreadyUnlocked: withFix(
    raised(
      422,
      30013,
      'VRN is already unlocked',
      'The Virtual Reference Number is already unlocked and cannot be unlocked again',
    ),
    'Nothing to do: it is unlocked.',
    '4.1',
  ),
  vrnLockCooldown: withFix(
    raised(422, 30017, 'VRN cooldown active', 'VRN cannot be locked/unlocked until the cooldown period has ended'),
    "Wait until the Program's cooldown since the VRN was unlocked is over. You can advance the clock.",
    '4.1',
  ),
  vrnUnlockCooldown: withFix(
    raised(422, 30018, 'VRN cooldown active', 'VRN cannot be locked/unlocked until the cooldown period has ended'),
    "Wait until the Program's cooldown since the VRN was locked is over. You can advance the clock.",
    '4.1',
  ),

  // ── Returns ────────────────────────────────────────────────────────────────────────────────────────────────────
  returnNotFound: withFix(
    raised(404, 31000, 'Unknown Return', 'Could not find Return with the given uid'),
    'Use a uid from GET /returns, read with a token of the same Program.',
    '4.1',
  ),
  returnsNotRetrieved: never(
    unexpected,
    422,
    31001,
    'Failed to retrieve Returns',
    'An exception occurred while retrieving Returns',
  ),
  returnNotCreated: withFix(
    raised(422, 31002, 'Could not create Return', 'An exception occurred while creating a Return'),
    'Add money to the account named in `extra`: its available balance must cover the return.',
    '4.1',
  ),
  returnRequestorUnknown: withFix(
    raised(400, 31003, 'Unknown Requestor Type', 'The requestor type is not recognized'),
    'Send customer or subclient as requestor_type.',
    '4.1',
  ),
  returnExists: withFix(
    raised(422, 31004, 'Return Already Exists', 'A Return already exists for the given Transaction'),
    'Use the existing Return: GET /transactions/{uid} shows its return_uid.',
    '4.1',
  ),
  returnNotSettled: withFix(
    raised(400, 31005, 'Cannot Initiate Return', 'The given Transaction must be settled to issue Return'),
    'Wait until the Transaction is settled. You can advance the clock.',
    '4.1',
  ),
  returnUnsupported: withFix(
    raised(400, 31006, 'Unsupported Return', 'Returns are not supported for the given Transaction type'),
    'Return a received ACH or wire, or reverse an originated ACH.',
    '4.1',
  ),
  returnExpired: withFix(
    raised(400, 31007, 'Expired Transaction', 'A Return can not be issued as specified; too much time has elapsed'),
    'Request it earlier: within 5 banking days for a reversal, within the window of its code for a return.',
    '4.1',
  ),
  returnNetworkUnsupported: withFix(
    raised(400, 31008, 'Network code unsupported', 'Returns are not supported for Wires with UETR numbers'),
    'Return a wire that has no UETR.',
    '4.1',
  ),
  returnExtraInformation: withFix(
    raised(
      422,
      31009,
      'Extra payment information',
      'Payment information was provided that is not required for this return.',
    ),
    'Do not send objects that this return does not need: a reversal needs none.',
    '4.1',
  ),
  returnInformationMissing: never(
    'the sandbox stores everything that a return needs',
    422,
    31010,
    'Insufficient information for return.',
    'The original transaction data required to submit a return is not available.',
  ),
  returnTooLateToday: withFix(
    raised(
      422,
      31011,
      'Insufficient time to process return.',
      'The return cannot be processed because there is insufficient time remaining to process and submit the return to the appropriate institution.',
    ),
    'Choose an ach_return_code with a longer window, if one fits. The next cut-off comes after the window, so waiting does not help.',
    '4.1',
  ),
  returnCodeUnsupported: withFix(
    raised(400, 31012, 'Unsupported Transaction Code', 'Returns are not supported for the original transaction code'),
    'Choose an ach_return_code that fits the original Transaction.',
    '4.1',
  ),
  returnOfReturn: withFix(
    raised(400, 31013, 'Cannot return a return', 'A return transaction cannot be returned.'),
    'Choose the original payment, not a return.',
    '4.1',
  ),
  returnIneligible: withFix(
    raised(400, 31014, 'Ineligible transaction', 'This transaction is not eligible to be returned.'),
    'Choose a payment of the requesting Customer that moved money.',
    '4.1',
  ),

  // ── Combined Transfers ─────────────────────────────────────────────────────────────────────────────────────────
  combinedTransferNotFound: withFix(
    raised(404, 33000, 'Unknown combined transfer', 'Could not find combined transfer'),
    'Use a uid from GET /combined_transfers, read with a token of the same Program.',
    '3.3',
  ),
  combinedTransferNotCreated: never(
    `${unexpected}; what fails later is listed in the resource with 33005`,
    422,
    33001,
    'Could not create Combined Transfer',
    'An exception occurred while creating a Combined Transfer',
  ),
  combinedTransfersDisabled: withFix(
    raised(403, 33004, 'Combined Transfers disabled', 'Combined Transfer endpoints are not enabled for this program'),
    'Let the operator enable Combined Transfers for the Program.',
    '3.3',
  ),
  combinedTransferStopped: inside(
    422,
    33005,
    'Could not continue Combined Transfer',
    'An exception occurred while continuing a Combined Transfer',
  ),
  combinedTransfersNotRetrieved: never(
    unexpected,
    422,
    33006,
    'Failed to retrieve Combined Transfers',
    'An exception occurred while retrieving Combined Transfers',
  ),
  combinedTransferExists: withFix(
    raised(
      422,
      33007,
      'Combined Transfer external uid is already taken',
      'Combined Transfer external uid must be unique',
    ),
    'Choose another external_uid, or read the Combined Transfer that has it.',
    '3.3',
  ),
} satisfies Record<string, ErrorRow>

export type ErrorKey = keyof typeof errors

/** The setting of the Program that a refusal follows from, where its key alone tells. */
export const settingOf: { readonly [K in ErrorKey]?: string } = {
  duplicateTraceId: 'repeated_trace_id',
  creationByOperator: 'client_is_customer',
  generalAccountsExhausted: 'account_limits.general_accounts',
  externalAccountAlreadyOpen: 'account_limits.one_external_account',
  externalAccountsExhausted: 'account_limits.external_accounts',
  externalAccountTooRecent: 'account_limits.minutes_between_external_accounts',
  externalAccountTooOften: 'account_limits.same_external_account',
  outboundAchAccountsExhausted: 'account_limits.ach_external_accounts',
  dailyTransfersExhausted: 'limits',
  dailyAmountExhausted: 'limits',
  transferBelowMinimum: 'limits',
  authorizationExpired: 'authorization_hours',
  authorizationDisabled: 'client_authorization',
  returnsDisabled: 'returns',
  vrnLockCooldown: 'vrn_cooldown_minutes',
  vrnUnlockCooldown: 'vrn_cooldown_minutes',
  combinedTransfersDisabled: 'combined_transfers',
}

const keyByCode = new Map(Object.entries(errors).map(([key, { code }]) => [code, key as ErrorKey]))

/** The key of a code such as 6008. */
export const errorKeyOf = (code: number): ErrorKey | undefined => keyByCode.get(code)

export const isErrorKey = (text: string): text is ErrorKey => Object.hasOwn(errors, text)

/** A text of up to 1 MB, such as the name of an unknown field, must not be the length of its error. */
const MAX_EXTRA = 10_000

/** Thrown at any depth to refuse a request. The key selects the error that the caller gets. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly key: ErrorKey
  /** Sent as `extra`: which argument, which requirement. Never the value itself. */
  readonly extra: string | undefined
  /** Only for the window: a cause that the caller must not see, such as why a token was refused. */
  readonly cause_for_operator: string | undefined
  /** Only for the window: the paths of the fields that are refused, where neither the key nor `extra` tells. */
  readonly fields: readonly string[] | undefined

  /** Of the response. */
  readonly status: number
  /** The setting of the Program without which the request would not be refused, or not so. */
  readonly setting: string | undefined

  constructor(
    key: ErrorKey,
    given?: string,
    causeForOperator?: string,
    fields?: readonly string[],
    { status = errors[key].status, setting = settingOf[key] }: { status?: number; setting?: string } = {},
  ) {
    const extra = given && cutText(given, MAX_EXTRA, 'are left out')
    super(`${errors[key].code} ${errors[key].title}${extra ? `: ${extra}` : ''}`)
    this.key = key
    this.extra = extra
    this.cause_for_operator = causeForOperator
    this.fields = fields
    this.status = status
    this.setting = setting
  }
}
