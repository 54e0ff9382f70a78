/**
 * Every error the API can answer, one row each: key → status, code, title, detail.
 *
 * Code 6009 is the specification's, codes up to 1011 and from 2000 on are the platform's published ones, and 1012 to
 * 1018 are ours. A row says by its first word whether this sandbox answers it: `raised` ones are each provoked by a
 * test, `inside` ones are listed inside a resource and never the answer, and `never` ones carry the reason why they
 * cannot happen here.
 *
 * Assumed: where no code is published: a repeated trace id is 409/1012, a caller that is not allowed 403/1013, a wrong
 * method 405/1014, a media type 415/1015, a body over 1 MB 413/1016, too many requests 429/1017, and creating a Customer
 * in a Program whose Client is the Customer 403/1018.
 */

export interface ErrorRow {
  readonly status: number
  readonly code: number
  readonly title: string
  readonly detail: string
  /** `true`, `'inside'` (listed inside a resource, never as an answer), or why it never happens here. */
  readonly raised: true | 'inside' | { readonly never: string }
  /** For the window: how to pass, and where the specification speaks of it. */
  readonly pass?: string
  readonly section?: string
  readonly assumed?: true
}

type Words = readonly [status: number, code: number, title: string, detail: string]
type More = Pick<ErrorRow, 'pass' | 'section' | 'assumed'>

const row = ([status, code, title, detail]: Words, raised: ErrorRow['raised'], more: More = {}): ErrorRow => ({
  status,
  code,
  title,
  detail,
  raised,
  ...more,
})
const raised = (...words: Words) => row(words, true)
const inside = (...words: Words) => row(words, 'inside')
const never = (because: string, ...words: Words) => row(words, { never: because })
const helped = (error: ErrorRow, pass: string, section?: string): ErrorRow => ({
  ...error,
  pass,
  ...(section ? { section } : {}),
})
const ours = (error: ErrorRow): ErrorRow => ({ ...error, assumed: true })

const unexpected = 'an unexpected failure answers 1000 and changes nothing; faults can answer any code'
const elsewhere = 'the specification accepts what this code would refuse'
const noEndpoint = 'no endpoint of the specification does this; the operator does, and is told why in the control API'

export const errors = {
  // ── General ────────────────────────────────────────────────────────────────────────────────────────────────────
  internal: helped(
    raised(500, 1000, 'Internal Server', 'Something went wrong.'),
    'This is a fault of the sandbox, not of the request: nothing was changed. The terminal shows its cause.',
  ),
  routeNotFound: helped(
    raised(404, 1001, 'Page Not Found', "The route you're looking for does not exist."),
    'Check method and path: the base URL ends in /api/v1, and paths are written as in the specification.',
    '4.1',
  ),
  unparseableDate: helped(
    raised(
      400,
      1002,
      'Unparseable Date Format',
      'Could not parse date. Please try ISO 8601 calendar date in extended format (YYYY-MM-DD).',
    ),
    'Send an ISO 8601 date or timestamp, such as 2026-11-20.',
    '4.1',
  ),
  missingParameter: helped(
    raised(
      400,
      1003,
      'Missing Request Parameter',
      'At least one parameter is missing. Cannot continue with the request',
    ),
    'Send what `extra` names.',
    '4',
  ),
  unauthorized: helped(
    raised(401, 1004, 'Unauthorized', 'Invalid or expired authentication.'),
    'Sign a fresh refresh token with HS512, exchange it at POST /auth, and send the whole value that begins with auth-.',
    '5',
  ),
  invalidLimit: helped(
    raised(400, 1005, 'Invalid Limit Value', 'The limit parameter value cannot be negative.'),
    'Send a limit of 0 or more; above 1,000 it is clamped.',
    '4.1',
  ),
  invalidSort: helped(
    raised(
      400,
      1006,
      'Invalid Sort Pattern',
      'The sort parameter value must match the field_name_order pattern (example: "email_asc").',
    ),
    'Use one of the sorts of this list, such as email_asc.',
    '4.3',
  ),
  invalidArgument: helped(
    raised(400, 1007, 'Invalid Method Argument', 'At least one argument is invalid. Cannot continue with the request.'),
    'Mend what `extra` names.',
    '2',
  ),
  archivedCustomer: helped(
    raised(422, 1008, 'Archived Customer', 'The Customer is archived. Cannot continue with the request.'),
    'Use another Customer: archived ones stay readable and nothing more.',
    '4.5',
  ),
  archivedPool: never(
    'a Pool has no status: its Customer answers 1008',
    422,
    1009,
    'Archived Pool',
    'The Pool is archived. Cannot continue with the request.',
  ),
  inactiveCustomer: helped(
    raised(422, 1010, 'Inactive Customer', 'The Customer is not active. Cannot continue with the request.'),
    'Wait until the Customer is active: GET /customers/{uid} tells its status, and the clock can be advanced.',
    '3.1',
  ),
  customerNotUpdatable: helped(
    raised(
      422,
      1011,
      'Customer Not In Updatable Status',
      'Customer not in updatable status. Cannot continue with the request.',
    ),
    'Edit the Customer before onboarding, or when it is active.',
    '4.6',
  ),
  duplicateTraceId: ours(
    helped(
      raised(409, 1012, 'Duplicate trace id', 'The x-trace-id was already used within the last 7 days.'),
      'Make a new x-trace-id for every request, a UUID for instance. 7 days are of simulated time.',
      '5',
    ),
  ),
  notAllowed: ours(
    helped(
      raised(403, 1013, 'Not Allowed', 'Requests from this address, Host or Origin are not allowed.'),
      "Call from an address on the Program's allowlist (sandbank serve --allow CIDR) under a known name (--allow-host NAME).",
      '5',
    ),
  ),
  methodNotAllowed: ours(
    helped(
      raised(405, 1014, 'Method Not Allowed', 'The method is not supported by this endpoint.'),
      'The Allow header lists the methods of this path.',
      '4.1',
    ),
  ),
  unsupportedMediaType: ours(
    helped(
      raised(415, 1015, 'Unsupported Media Type', 'The body must be JSON-encoded or form-encoded.'),
      'Send Content-Type: application/json, or application/x-www-form-urlencoded; neither compressed.',
      '1',
    ),
  ),
  bodyTooLarge: ours(
    helped(raised(413, 1016, 'Body Too Large', 'The body must not be larger than 1 MB.'), 'Send less than 1 MB.', '1'),
  ),
  tooManyRequests: ours(
    helped(
      raised(429, 1017, 'Too Many Requests', 'Too many requests. Try again later.'),
      'Wait for as many seconds as the header Retry-After names, then send it again. The operator set this limit.',
    ),
  ),
  creationByOperator: ours(
    helped(
      raised(
        403,
        1018,
        'Customer Creation Not Allowed',
        'The Client is itself the Customer in this Program; its Customers are created by the service operator.',
      ),
      'Use the Customers that are there (GET /customers), or let the operator create one.',
      '1',
    ),
  ),

  // ── Synthetic Accounts ─────────────────────────────────────────────────────────────────────────────────────────
  syntheticAccountNotFound: helped(
    raised(404, 2000, 'Unknown Synthetic Account', 'Could not find Synthetic Account'),
    'Use a uid from GET /synthetic_accounts, read with a token of the same Program.',
    '1',
  ),
  syntheticAccountNotArchivable: never(
    'each reason has a code of its own, 2003 to 2017',
    422,
    2001,
    'Cannot archive Synthetic Account',
    'Synthetic Account could not be archived.',
  ),
  syntheticAccountExists: helped(
    raised(409, 2002, 'Synthetic Account already exists', 'Synthetic Account could not be created or updated'),
    'Use the account that is there, or another external_uid, name or account number.',
    '1',
  ),
  masterAccountNotArchivable: helped(
    raised(
      422,
      2003,
      'Cannot archive master Synthetic Account',
      'The master Synthetic Account for a Customer cannot be archived.',
    ),
    'The master account is archived with its Customer.',
    '1',
  ),
  syntheticAccountHasBalance: helped(
    raised(
      422,
      2004,
      'Cannot archive Synthetic Account with balance',
      'A Synthetic Account with a non-zero balance cannot be archived',
    ),
    'Move the balance to another account first.',
    '4.1',
  ),
  syntheticAccountHasTransfer: helped(
    raised(
      422,
      2005,
      'Cannot archive Synthetic Account with pending Transfer',
      'A Synthetic Account with a pending Transfer cannot be archived',
    ),
    'Wait until its Transfers have come to their end, or cancel them.',
    '4.1',
  ),
  syntheticAccountNotGeneral: never(
    'the specification restricts archiving to no category',
    422,
    2006,
    'Cannot archive non-general Synthetic Account',
    'Synthetic Accounts must be of the general type to be archived.',
  ),
  syntheticAccountNotUpdatable: helped(
    raised(422, 2007, 'Cannot update Synthetic Account', 'Synthetic Account could not be updated.'),
    'Send only name, external_uid and the particulars of the counterparty, for an active account.',
    '4.1',
  ),
  syntheticAccountNoteMissing: helped(
    raised(400, 2008, 'Cannot update Synthetic Account', 'A note is required to update Synthetic Accounts.'),
    'Send a note with the reason for the change.',
    '4.1',
  ),
  generalAccountsExhausted: helped(
    raised(
      422,
      2009,
      'Could not create Synthetic Account',
      "The count of this customer's active synthetic accounts in the general synthetic account category has reached the maximum.",
    ),
    "Archive a general account, or let the operator raise the Program's limit.",
    '1',
  ),
  externalAccountAlreadyOpen: helped(
    raised(
      422,
      2010,
      'Could not create Synthetic Account',
      'This customer already has an active or initiated synthetic account in the external synthetic account category.',
    ),
    "Use the external account that is there, or let the operator lift the Program's limit.",
    '1',
  ),
  syntheticAccountsNotRetrieved: never(
    unexpected,
    422,
    2011,
    'Failed to retrieve synthetic accounts',
    'An exception occurred while retrieving synthetic accounts.',
  ),
  externalAccountsExhausted: helped(
    raised(
      422,
      2013,
      'Could not create Synthetic Account',
      'The unique external account limit for this customer has been reached.',
    ),
    "Use the external accounts that are there, or let the operator raise the Program's limit.",
    '1',
  ),
  externalAccountTooRecent: helped(
    raised(422, 2014, 'Could not create Synthetic Account', 'An external account has been created too recently.'),
    'Wait for as long as the Program asks between two external accounts; the clock can be advanced.',
    '1',
  ),
  externalAccountTooOften: helped(
    raised(
      422,
      2015,
      'Could not create Synthetic Account',
      'This external account has been associated with this customer too many times.',
    ),
    "Use another account number, or let the operator raise the Program's limit.",
    '1',
  ),
  outboundAchAccountsExhausted: helped(
    raised(
      422,
      2016,
      'Could not create Synthetic Account',
      'This customer has reached the outbound ACH external account limit',
    ),
    "Archive an external ACH account, or let the operator raise the Program's limit.",
    '1',
  ),
  syntheticAccountNotActive: helped(
    raised(422, 2017, 'Cannot archive Synthetic Account', "Synthetic Account must be in 'active' status to archive"),
    'Only active accounts can be archived.',
    '4.1',
  ),

  // ── Transfers ──────────────────────────────────────────────────────────────────────────────────────────────────
  transferNotFound: helped(
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
  transferAmountNotNumeric: helped(
    raised(400, 3002, 'Could not initiate transfer', 'Requested transfer amount in US dollars must be numeric.'),
    'Send usd_transfer_amount as plain decimal text, such as "12.34".',
    '4.1',
  ),
  transferAmountNotPositive: helped(
    raised(400, 3003, 'Could not initiate transfer', 'Requested transfer amount in US dollars must be greater than 0.'),
    'Send an amount above 0; only a prenote is of 0.00.',
    '4.1',
  ),
  insufficientFunds: helped(
    raised(422, 3004, 'Could not initiate transfer', 'Source has insufficient funds for transfer.'),
    "Send no more than the source's net_usd_available_balance, or let money come in by a mock transaction first.",
    '1',
  ),
  sameAccounts: helped(
    raised(400, 3005, 'Same source and destination accounts', 'The source and destination accounts are identical.'),
    'Name two different accounts.',
    '4.1',
  ),
  transferProhibited: helped(
    raised(422, 3006, 'Could not initiate transfer', 'Requested transfer between the chosen accounts is prohibited.'),
    'Let at least one side be a general account of the initiating Customer; two external accounts never pay each other.',
    '1',
  ),
  accountDiscarded: helped(
    raised(
      422,
      3007,
      'Source or Destination Account is discarded',
      'Transfers to or from a discarded account are not allowed.',
    ),
    'Use active accounts: archived and failed ones neither pay nor receive.',
    '1',
  ),
  accountLocked: helped(
    raised(
      422,
      3008,
      'Source or Destination Account is locked',
      'Transfers to or from a locked account or an account that belongs to a locked customer are prohibited.',
    ),
    'Let the operator unlock the Customer, or use accounts of another one.',
    '2.1',
  ),
  dailyTransfersExhausted: helped(
    raised(
      422,
      3010,
      'Customer daily external transfer request maximum has been reached',
      'The maximum number of daily external transfers defined in the Program configuration has been reached.',
    ),
    "Wait for the next day (the clock can be advanced), or let the operator raise the Program's limit.",
    '8',
  ),
  dailyAmountExhausted: helped(
    raised(
      422,
      3011,
      'Customer daily external transfer amount has been reached',
      "This transfer request exceeds the customer's daily external transfer US dollar amount limit.",
    ),
    "Wait for the next day (the clock can be advanced), or let the operator raise the Program's limit.",
    '8',
  ),
  transferAboveMaximum: helped(
    raised(
      422,
      3012,
      'Transfer amount exceeds program maximum',
      'This transfer exceeds the maximum dollar amount allowed in the Program configuration.',
    ),
    "Send less in one transfer, or let the operator raise the Program's limit for this rail.",
    '8',
  ),
  transferBelowMinimum: helped(
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
  transferNotCancelable: helped(
    raised(
      400,
      3025,
      'Transfer cannot be canceled',
      'The transfer submitted cannot be canceled. Please verify the transfer UIDs, the type of transfer (wire or ACH), and the status of the transfer being canceled.',
    ),
    'Cancel a wire or ACH while it is queued or pending.',
    '4.1',
  ),
  transferNotCanceled: helped(
    raised(422, 3026, 'Could not cancel transfer', 'An exception occurred while canceling the transfer'),
    'Cancel earlier: once the payment has been submitted it cannot be held back.',
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
  customerNotFound: helped(
    raised(404, 4002, 'Unknown customer', 'Could not find customer. Invalid customer uid.'),
    'Use a uid from GET /customers?include_initiated=true, read with a token of the same Program.',
    '1',
  ),
  customerLocked: helped(
    raised(422, 4003, 'Locked customer', 'No activities regarding this customer are allowed at this time.'),
    'The operator has locked the Customer; unlock it by a move.',
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
  onboardingIncomplete: helped(
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
  malformedUpdate: helped(
    raised(400, 4015, 'Malformed update parameter', 'One or more parameters were not formatted correctly.'),
    'Mend what `extra` names.',
    '4.6',
  ),
  customerInUse: helped(
    raised(
      422,
      4016,
      'Customer already in use',
      'The supplied Customer information is already associated with the Program.',
    ),
    "Send an external_uid that no Customer of any of the Client's Programs has.",
    '2.1',
  ),
  customersNotRetrieved: never(
    unexpected,
    422,
    4017,
    'Failed to retrieve customers',
    'An exception occurred while retrieving customers.',
  ),
  piiFrozen: helped(
    raised(422, 4018, 'PII Frozen', 'Cannot update PII once identity verification has begun.'),
    'Edit before onboarding; when active, send only the seven editable fields.',
    '4.6',
  ),
  piiMissing: never(
    'missing PII is named by 4111',
    422,
    4019,
    'PII Missing',
    'PII could not be obtained for the customer.',
  ),
  customerDetailsIncomplete: helped(
    raised(422, 4111, 'Incomplete Customer details', 'Customer is missing required information.'),
    'Supply what `extra` names with PUT /customers/{uid}, then onboard again.',
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
  authorizationFinal: helped(
    raised(400, 6009, 'Transaction cannot be authorized', 'Authorization status does not allow updates'),
    'Decide once: an approval or denial cannot be changed.',
    '4.7',
  ),
  authorizationExpired: helped(
    raised(400, 6010, 'Transaction cannot be authorized', 'Transaction authorization window has passed'),
    'Decide before authorization_required_by.',
    '4.7',
  ),
  authorizationIneligible: helped(
    raised(400, 6011, 'Transaction cannot be authorized', 'Transaction is not eligible for authorization'),
    'Name a payment that was received on a VRN and has an authorization.',
    '4.7',
  ),
  authorizationDisabled: helped(
    raised(
      403,
      6012,
      'Client authorization is not enabled',
      'This program is not configured for client authorization of transactions.',
    ),
    'Let the operator switch client authorization on for the Program.',
    '4.7',
  ),

  // ── Returns, first code ────────────────────────────────────────────────────────────────────────────────────────
  returnsDisabled: helped(
    raised(403, 18007, 'Returns not enabled', 'Returns are not enabled for this program.'),
    'Let the operator switch Returns on for the Program.',
    '4.1',
  ),

  // ── VRNs ───────────────────────────────────────────────────────────────────────────────────────────────────────
  vrnNotFound: helped(
    raised(404, 30000, 'Unknown VRN', 'Could not find Virtual Reference Number. Invalid VRN uid'),
    'Use the uid of a VRN from its list, read with a token of the same Program.',
    '4.1',
  ),
  vrnNotCreated: helped(
    raised(422, 30001, 'Failed to create VRNs', 'An exception occurred while creating VRNs'),
    'Choose a name that does not begin with "fail": such a name asks for this failure.',
    '4.1',
  ),
  vrnAccountIneligible: helped(
    raised(
      422,
      30002,
      'The Synthetic Account provided is ineligible for VRNs',
      'The Synthetic Account must be an active, general, liability account',
    ),
    'Name an active general account.',
    '4.1',
  ),
  vrnsNotRetrieved: never(
    unexpected,
    422,
    30003,
    'Failed to retrieve VRNs',
    'An exception occurred while retrieving VRNs',
  ),
  vrnNotUpdated: helped(
    raised(422, 30004, 'Failed to update VRNs', 'An exception occurred while updating VRNs'),
    'Choose an external_uid that no other VRN has.',
    '4.1',
  ),
  vrnArchived: helped(
    raised(422, 30005, 'Archived VRN', 'Cannot use archived VRN'),
    'Use an active VRN: archiving is final.',
    '4.1',
  ),
  vrnAlreadyLocked: helped(
    raised(
      422,
      30010,
      'VRN is already locked',
      'The Virtual Reference Number is already locked and cannot be locked again',
    ),
    'Nothing is to be done: it is locked.',
    '4.1',
  ),
  vrnAlreadyUnlocked: helped(
    raised(
      422,
      30013,
      'VRN is already unlocked',
      'The Virtual Reference Number is already unlocked and cannot be unlocked again',
    ),
    'Nothing is to be done: it is unlocked.',
    '4.1',
  ),
  vrnLockCooldown: helped(
    raised(422, 30017, 'VRN cooldown active', 'VRN cannot be locked/unlocked until the cooldown period has ended'),
    "Wait for the Program's cooldown to pass since the VRN was unlocked; the clock can be advanced.",
    '4.1',
  ),
  vrnUnlockCooldown: helped(
    raised(422, 30018, 'VRN cooldown active', 'VRN cannot be locked/unlocked until the cooldown period has ended'),
    "Wait for the Program's cooldown to pass since the VRN was locked; the clock can be advanced.",
    '4.1',
  ),

  // ── Returns ────────────────────────────────────────────────────────────────────────────────────────────────────
  returnNotFound: helped(
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
  returnNotCreated: helped(
    raised(422, 31002, 'Could not create Return', 'An exception occurred while creating a Return'),
    "Mend what `extra` names: the account's available balance must cover the return.",
    '4.1',
  ),
  returnRequestorUnknown: helped(
    raised(400, 31003, 'Unknown Requestor Type', 'The requestor type is not recognized'),
    'Send customer or subclient as requestor_type.',
    '4.1',
  ),
  returnExists: helped(
    raised(422, 31004, 'Return Already Exists', 'A Return already exists for the given Transaction'),
    'Use the Return that is there: GET /transactions/{uid} tells its return_uid.',
    '4.1',
  ),
  returnNotSettled: helped(
    raised(400, 31005, 'Cannot Initiate Return', 'The given Transaction must be settled to issue Return'),
    'Wait until the Transaction is settled; the clock can be advanced.',
    '4.1',
  ),
  returnUnsupported: helped(
    raised(400, 31006, 'Unsupported Return', 'Returns are not supported for the given Transaction type'),
    'Return a received ACH or wire, or reverse an originated ACH.',
    '4.1',
  ),
  returnExpired: helped(
    raised(400, 31007, 'Expired Transaction', 'A Return can not be issued as specified; too much time has elapsed'),
    'Ask earlier: within 5 banking days for a reversal, and within the window of the return code for a return.',
    '4.1',
  ),
  returnNetworkUnsupported: helped(
    raised(400, 31008, 'Network code unsupported', 'Returns are not supported for Wires with UETR numbers'),
    'Return a wire that has no UETR.',
    '4.1',
  ),
  returnExtraInformation: helped(
    raised(
      422,
      31009,
      'Extra payment information',
      'Payment information was provided that is not required for this return.',
    ),
    'Leave out the objects that this return does not need: a reversal takes none.',
    '4.1',
  ),
  returnInformationMissing: never(
    'the sandbox keeps everything that a return needs',
    422,
    31010,
    'Insufficient information for return.',
    'The original transaction data required to submit a return is not available.',
  ),
  returnTooLateToday: helped(
    raised(
      422,
      31011,
      'Insufficient time to process return.',
      'The return cannot be processed because there is insufficient time remaining to process and submit the return to the appropriate institution.',
    ),
    "Ask again on a later business day, before that day's last cut-off.",
    '4.1',
  ),
  returnCodeUnsupported: helped(
    raised(400, 31012, 'Unsupported Transaction Code', 'Returns are not supported for the original transaction code'),
    'Choose an ach_return_code that fits the original Transaction.',
    '4.1',
  ),
  returnOfReturn: helped(
    raised(400, 31013, 'Cannot return a return', 'A return transaction cannot be returned.'),
    'Name the original payment, not one that itself sends money back.',
    '4.1',
  ),
  returnIneligible: helped(
    raised(400, 31014, 'Ineligible transaction', 'This transaction is not eligible to be returned.'),
    'Name a payment of the requesting Customer that moved money.',
    '4.1',
  ),

  // ── Combined Transfers ─────────────────────────────────────────────────────────────────────────────────────────
  combinedTransferNotFound: helped(
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
  combinedTransfersDisabled: helped(
    raised(403, 33004, 'Combined Transfers disabled', 'Combined Transfer endpoints are not enabled for this program'),
    'Let the operator switch Combined Transfers on for the Program.',
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
  combinedTransferExists: helped(
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

export const isErrorKey = (text: string): text is ErrorKey => Object.hasOwn(errors, text)

/** What is asked may be refused at any depth; the key decides what the caller reads. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly key: ErrorKey
  /** Sent as `extra`: which argument, which requirement. Never the value itself. */
  readonly extra: string | undefined
  /** For the window alone: a cause that the caller must not learn, such as why a token was refused. */
  readonly cause_for_operator: string | undefined

  constructor(key: ErrorKey, extra?: string, causeForOperator?: string) {
    super(`${errors[key].code} ${errors[key].title}${extra ? `: ${extra}` : ''}`)
    this.key = key
    this.extra = extra
    this.cause_for_operator = causeForOperator
  }
}
