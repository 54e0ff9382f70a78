import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import { ApiError, type ErrorKey, type ErrorRow, errors, isErrorKey } from '../../src/api/contract/errors.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { table } from '../support/table.ts'

const rows: Record<string, ErrorRow> = errors
const keys = Object.keys(errors) as ErrorKey[]
const raised = keys.filter((key) => rows[key]?.raised === true)

/**
 * What the platform publishes: code, status, title, detail. Copied as facts, so that a slip in the catalogue is seen.
 * Details are compared without their final full stop, which the published texts set now and then. Of 3025 the first
 * sentence names its operator; ours says the same without the name. 33005 is published without a status.
 */
const PUBLISHED = table(`
   1000 | 500 | Internal Server                                                   | Something went wrong.
   1001 | 404 | Page Not Found                                                    | The route you're looking for does not exist.
   1002 | 400 | Unparseable Date Format                                           | Could not parse date. Please try ISO 8601 calendar date in extended format (YYYY-MM-DD).
   1003 | 400 | Missing Request Parameter                                         | At least one parameter is missing. Cannot continue with the request
   1004 | 401 | Unauthorized                                                      | Invalid or expired authentication.
   1005 | 400 | Invalid Limit Value                                               | The limit parameter value cannot be negative.
   1006 | 400 | Invalid Sort Pattern                                              | The sort parameter value must match the field_name_order pattern (example: "email_asc").
   1007 | 400 | Invalid Method Argument                                           | At least one argument is invalid. Cannot continue with the request.
   1008 | 422 | Archived Customer                                                 | The Customer is archived. Cannot continue with the request.
   1009 | 422 | Archived Pool                                                     | The Pool is archived. Cannot continue with the request.
   1010 | 422 | Inactive Customer                                                 | The Customer is not active. Cannot continue with the request.
   1011 | 422 | Customer Not In Updatable Status                                  | Customer not in updatable status. Cannot continue with the request.
   2000 | 404 | Unknown Synthetic Account                                         | Could not find Synthetic Account
   2001 | 422 | Cannot archive Synthetic Account                                  | Synthetic Account could not be archived.
   2002 | 409 | Synthetic Account already exists                                  | Synthetic Account could not be created or updated
   2003 | 422 | Cannot archive master Synthetic Account                           | The master Synthetic Account for a Customer cannot be archived.
   2004 | 422 | Cannot archive Synthetic Account with balance                     | A Synthetic Account with a non-zero balance cannot be archived
   2005 | 422 | Cannot archive Synthetic Account with pending Transfer            | A Synthetic Account with a pending Transfer cannot be archived
   2006 | 422 | Cannot archive non-general Synthetic Account                      | Synthetic Accounts must be of the general type to be archived.
   2007 | 422 | Cannot update Synthetic Account                                   | Synthetic Account could not be updated.
   2008 | 400 | Cannot update Synthetic Account                                   | A note is required to update Synthetic Accounts.
   2009 | 422 | Could not create Synthetic Account                                | The count of this customer's active synthetic accounts in the general synthetic account category has reached the maximum.
   2010 | 422 | Could not create Synthetic Account                                | This customer already has an active or initiated synthetic account in the external synthetic account category.
   2011 | 422 | Failed to retrieve synthetic accounts                             | An exception occurred while retrieving synthetic accounts.
   2013 | 422 | Could not create Synthetic Account                                | The unique external account limit for this customer has been reached.
   2014 | 422 | Could not create Synthetic Account                                | An external account has been created too recently.
   2015 | 422 | Could not create Synthetic Account                                | This external account has been associated with this customer too many times.
   2016 | 422 | Could not create Synthetic Account                                | This customer has reached the outbound ACH external account limit
   2017 | 422 | Cannot archive Synthetic Account                                  | Synthetic Account must be in 'active' status to archive
   3000 | 404 | Unknown transfer uid                                              | Could not find transfer. Invalid uid.
   3001 | 422 | Could not initiate transfer                                       | An exception occurred while creating transfer.
   3002 | 400 | Could not initiate transfer                                       | Requested transfer amount in US dollars must be numeric.
   3003 | 400 | Could not initiate transfer                                       | Requested transfer amount in US dollars must be greater than 0.
   3004 | 422 | Could not initiate transfer                                       | Source has insufficient funds for transfer.
   3005 | 400 | Same source and destination accounts                              | The source and destination accounts are identical.
   3006 | 422 | Could not initiate transfer                                       | Requested transfer between the chosen accounts is prohibited.
   3007 | 422 | Source or Destination Account is discarded                        | Transfers to or from a discarded account are not allowed.
   3008 | 422 | Source or Destination Account is locked                           | Transfers to or from a locked account or an account that belongs to a locked customer are prohibited.
   3010 | 422 | Customer daily external transfer request maximum has been reached | The maximum number of daily external transfers defined in the Program configuration has been reached.
   3011 | 422 | Customer daily external transfer amount has been reached          | This transfer request exceeds the customer's daily external transfer US dollar amount limit.
   3012 | 422 | Transfer amount exceeds program maximum                           | This transfer exceeds the maximum dollar amount allowed in the Program configuration.
   3013 | 422 | Transfer amount below program minimum                             | This transfer does not meet the minimum dollar amount required in the Program configuration.
   3014 | 422 | Failed to retrieve transfers                                      | An exception occurred while retrieving transfers.
   3015 | 422 | Could not initiate transfer                                       | An exception occurred while creating the custodial transfer.
   3016 | 422 | Source or Destination Account is inactive                         | Transfers to or from an account not in 'active' status are prohibited.
   3025 | 400 | Transfer cannot be canceled                                       | The transfer submitted cannot be canceled. Please verify the transfer UIDs, the type of transfer (wire or ACH), and the status of the transfer being canceled.
   3026 | 422 | Could not cancel transfer                                         | An exception occurred while canceling the transfer
   4000 | 422 | Could not create customer                                         | An exception occurred while creating a customer.
   4001 | 422 | Could not update customer                                         | An exception occurred while updating the customer.
   4002 | 404 | Unknown customer                                                  | Could not find customer. Invalid customer uid.
   4003 | 422 | Locked customer                                                   | No activities regarding this customer are allowed at this time.
   4004 | 422 | Could not archive customer                                        | An exception occurred while archiving the customer.
   4005 | 422 | Could not archive customer                                        | A customer with a non-zero balance cannot be archived.
   4006 | 422 | Could not archive customer                                        | A customer with a pending transfer cannot be archived.
   4007 | 422 | Could not lock customer                                           | An exception occurred while locking the customer.
   4008 | 400 | Could not lock customer                                           | lock_reason must be provided in order to lock the customer.
   4009 | 422 | Could not unlock customer                                         | An exception occurred while unlocking the customer.
   4010 | 422 | Could not lock customer properly                                  | An exception occurred while locking at least one custodial account that belongs to the customer. Some lock features are in place, such as rejecting ODFI transfer requests, but not all RDFI transfers or debit card transactions will be blocked.
   4011 | 422 | Incomplete customer onboarding                                    | The customer must complete the onboarding process or be enrolled in additional product(s) before proceeding.
   4012 | 422 | Could not save customer details                                   | An exception occurred when creating or updating customer details.
   4013 | 422 | Could not initiate customer verification                          | An exception occurred while initiating customer verification.
   4014 | 422 | Could not initiate customer confirmation                          | An exception occurred while initiating customer confirmation.
   4015 | 400 | Malformed update parameter                                        | One or more parameters were not formatted correctly.
   4016 | 422 | Customer already in use                                           | The supplied Customer information is already associated with the Program.
   4017 | 422 | Failed to retrieve customers                                      | An exception occurred while retrieving customers.
   4018 | 422 | PII Frozen                                                        | Cannot update PII once identity verification has begun.
   4019 | 422 | PII Missing                                                       | PII could not be obtained for the customer.
   4111 | 422 | Incomplete Customer details                                       | Customer is missing required information.
   6008 | 422 | Transaction cannot be authorized                                  | An exception occurred while authorizing transaction
   6009 | 400 | Transaction cannot be authorized                                  | Authorization status does not allow updates
   6010 | 400 | Transaction cannot be authorized                                  | Transaction authorization window has passed
   6011 | 400 | Transaction cannot be authorized                                  | Transaction is not eligible for authorization
   6012 | 403 | Client authorization is not enabled                               | This program is not configured for client authorization of transactions.
  18007 | 403 | Returns not enabled                                               | Returns are not enabled for this program.
  30000 | 404 | Unknown VRN                                                       | Could not find Virtual Reference Number. Invalid VRN uid
  30001 | 422 | Failed to create VRNs                                             | An exception occurred while creating VRNs
  30002 | 422 | The Synthetic Account provided is ineligible for VRNs             | The Synthetic Account must be an active, general, liability account
  30003 | 422 | Failed to retrieve VRNs                                           | An exception occurred while retrieving VRNs
  30004 | 422 | Failed to update VRNs                                             | An exception occurred while updating VRNs
  30005 | 422 | Archived VRN                                                      | Cannot use archived VRN
  30010 | 422 | VRN is already locked                                             | The Virtual Reference Number is already locked and cannot be locked again
  30013 | 422 | VRN is already unlocked                                           | The Virtual Reference Number is already unlocked and cannot be unlocked again
  30017 | 422 | VRN cooldown active                                               | VRN cannot be locked/unlocked until the cooldown period has ended
  30018 | 422 | VRN cooldown active                                               | VRN cannot be locked/unlocked until the cooldown period has ended
  31000 | 404 | Unknown Return                                                    | Could not find Return with the given uid
  31001 | 422 | Failed to retrieve Returns                                        | An exception occurred while retrieving Returns
  31002 | 422 | Could not create Return                                           | An exception occurred while creating a Return
  31003 | 400 | Unknown Requestor Type                                            | The requestor type is not recognized
  31004 | 422 | Return Already Exists                                             | A Return already exists for the given Transaction
  31005 | 400 | Cannot Initiate Return                                            | The given Transaction must be settled to issue Return
  31006 | 400 | Unsupported Return                                                | Returns are not supported for the given Transaction type
  31007 | 400 | Expired Transaction                                               | A Return can not be issued as specified; too much time has elapsed
  31008 | 400 | Network code unsupported                                          | Returns are not supported for Wires with UETR numbers
  31009 | 422 | Extra payment information                                         | Payment information was provided that is not required for this return.
  31010 | 422 | Insufficient information for return.                              | The original transaction data required to submit a return is not available.
  31011 | 422 | Insufficient time to process return.                              | The return cannot be processed because there is insufficient time remaining to process and submit the return to the appropriate institution.
  31012 | 400 | Unsupported Transaction Code                                      | Returns are not supported for the original transaction code
  31013 | 400 | Cannot return a return                                            | A return transaction cannot be returned.
  31014 | 400 | Ineligible transaction                                            | This transaction is not eligible to be returned.
  33000 | 404 | Unknown combined transfer                                         | Could not find combined transfer
  33001 | 422 | Could not create Combined Transfer                                | An exception occurred while creating a Combined Transfer
  33004 | 403 | Combined Transfers disabled                                       | Combined Transfer endpoints are not enabled for this program
  33005 | 422 | Could not continue Combined Transfer                              | An exception occurred while continuing a Combined Transfer
  33006 | 422 | Failed to retrieve Combined Transfers                             | An exception occurred while retrieving Combined Transfers
  33007 | 422 | Combined Transfer external uid is already taken                   | Combined Transfer external uid must be unique
`).map(([code, status, title, detail = '']) => [Number(code), Number(status), title, detail] as const)

/** What is ours, because no published text says what the platform answers there. */
const OURS: readonly (readonly [code: number, status: number, title: string])[] = [
  [1012, 409, 'Duplicate trace id'],
  [1013, 403, 'Not Allowed'],
  [1014, 405, 'Method Not Allowed'],
  [1015, 415, 'Unsupported Media Type'],
  [1016, 413, 'Body Too Large'],
  [1017, 429, 'Too Many Requests'],
  [1018, 403, 'Customer Creation Not Allowed'],
  [1019, 404, 'Unknown uid'],
]

const withoutStop = (text: string) => text.replace(/\.$/, '')
const byCode = new Map(Object.values(rows).map((row) => [row.code, row]))

describe('the catalogue of errors', () => {
  it.each(PUBLISHED)(
    '7: the published code %i is there with its status %i, title and detail',
    (code, status, title, detail) => {
      const row = byCode.get(code)
      expect({ ...row, detail: withoutStop(row?.detail ?? '') }).toMatchObject({
        status,
        title,
        detail: withoutStop(detail),
      })
      expect(row?.assumed).toBeUndefined()
    },
  )

  it.each(OURS)('code %i is ours: status %i, "%s", and says that it is assumed', (code, status, title) => {
    expect(byCode.get(code)).toMatchObject({ status, title, assumed: true })
  })

  it('has no other code than the published ones and ours', () => {
    const known = new Set([...PUBLISHED, ...OURS].map(([code]) => code))
    expect([...byCode.keys()].filter((code) => !known.has(code))).toEqual([])
    expect(known.size).toBe(PUBLISHED.length + OURS.length)
  })

  it('7: "The service uses standard HTTP status codes": those that the platform has, and two of ours', () => {
    const known = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500]
    expect(Object.entries(rows).filter(([, { status }]) => !known.includes(status))).toEqual([])
  })

  it.each(raised)('%s, which is answered, says how to pass', (key) => {
    expect(rows[key]?.pass).toMatch(/^[A-Z].+\.$/)
  })

  it('a row that is never answered says why', () => {
    const reasons = Object.values(rows).flatMap(({ raised: why }) => (typeof why === 'object' ? [why.never] : []))
    expect(reasons.length).toBeGreaterThan(0)
    for (const why of reasons) expect(why).toMatch(/\w+ \w+/)
  })

  it('an endpoint names only rows that are answered, each once', () => {
    for (const { errors: named } of Object.values<Endpoint>(endpoints)) {
      expect(named.filter((key) => rows[key]?.raised !== true)).toEqual([])
      expect(new Set(named).size).toBe(named.length)
    }
  })

  it('knows its own keys and no others', () => {
    expect(keys.every(isErrorKey)).toBe(true)
    expect(['toString', '__proto__', 'constructor', '', 'nothing'].some(isErrorKey)).toBe(false)
  })

  it('an error is thrown by its key; its cause for the operator is not sent', () => {
    const error = new ApiError('invalidLimit', 'limit', 'the cause')
    expect(error).toMatchObject({ key: 'invalidLimit', extra: 'limit', cause_for_operator: 'the cause' })
    expect(error.message).toBe('1005 Invalid Limit Value: limit')
  })
})

// ── Every row that is answered is provoked ───────────────────────────────────────────────────────────────────────

interface Node {
  readonly type: string
  readonly [field: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** The name of a function, also of one that is a field, or that `refusing(sandbox)` made. */
const nameOf = (callee: Node) =>
  callee.type === 'MemberExpression'
    ? (callee.property as Node).name
    : callee.type === 'CallExpression' && (callee.callee as Node).name === 'refusing'
      ? 'refused'
      : callee.name

/** The keys that a test file asserts by `expectRefusal` or `refused`, read from its syntax and not from its text. */
function provokedIn(path: string, text: string): string[] {
  const { program, errors: broken } = parseSync(path, text)
  if (broken.length > 0) throw new Error(`${path} cannot be read: ${broken[0]?.message}`)
  const found: string[] = []
  const walk = (value: unknown) => {
    if (Array.isArray(value)) return void value.forEach(walk)
    if (!isNode(value)) return
    const { callee, arguments: given } = value
    if (
      value.type === 'CallExpression' &&
      isNode(callee) &&
      /^(?:expectRefusal|refused)$/.test(String(nameOf(callee)))
    ) {
      const key = (given as unknown[])[1]
      if (isNode(key) && typeof key.value === 'string') found.push(key.value)
    }
    Object.values(value).forEach(walk)
  }
  walk(program)
  return found
}

describe('every answered row is asserted by a test', () => {
  const folder = join(import.meta.dirname, '..')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.test\.tsx?$/.test(name))
  const provoked = new Set(files.flatMap((name) => provokedIn(name, readFileSync(join(folder, name), 'utf8'))))

  it('calls are found by their syntax, wherever they stand, and nothing else is', () => {
    const text = `
      // expectRefusal(answer, 'commented')
      const words = "expectRefusal(answer, 'quoted')"
      it('x', async () => {
        expectRefusal(await api.get('/a', { headers: { a: 'b' } }), 'plain')
        for (const a of [1]) expectRefusal(f(a, ['x', 'y']), 'nested', /extra/)
        expectRefusal(answer, key)
        story.refused(() => api.get('/a'), 'ofFixture')
        refusing(sandbox)(() => api.get('/a'), 'ofSandbox')
        other(sandbox)(answer, 'foreign')
      })`
    expect(provokedIn('sample.ts', text)).toEqual(['plain', 'nested', 'ofFixture', 'ofSandbox'])
  })

  it('leaves none out', () => {
    expect(raised.filter((key) => !provoked.has(key))).toEqual([])
  })
})
