import { expect, it } from 'vitest'
import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import { openBank } from '../support/operator-sandbox.ts'

type Forced = MethodInput<'requests.forced'>

it('requests.forced: the outcomes that the data of a request would force', async () => {
  const { account, control, customer } = await openBank()
  const uid = await account(customer, 'ach_external', { account_number: '4410209902' })
  const returned = ['The account number ends in 9902: an ACH is returned with R02 after it has settled.']
  const expected: [Forced['endpoint'], unknown, string[]][] = [
    ['createTransfer', { destination_synthetic_account_uid: uid }, returned],
    ['archiveCustomer', { destination_synthetic_account_uid: uid }, returned],
    ['createCombinedTransfer', { synthetic_account: { uid }, transfer: {} }, returned],
    ['createCombinedTransfer', { synthetic_account: { account_number: '4410209902' }, transfer: {} }, returned],
    ['createCustomer', { details: { last_name: 'Smith' } }, ['The last_name Smith leads to kyc_status manual_review.']],
    ['createVirtualReferenceNumber', { name: 'Fail' }, ['The name begins with "fail": the VRN is refused.']],
    ['createTransfer', { destination_synthetic_account_uid: customer.master }, []],
    ['archiveCustomer', { archive_note: 'x' }, []],
    ['updateSyntheticAccount', { destination_synthetic_account_uid: uid }, []],
    ['createTransfer', null, []],
  ]
  for (const [endpoint, body, outcomes] of expected)
    expect({ endpoint, body, ...(await control['requests.forced']({ endpoint, body })) }).toEqual({
      endpoint,
      body,
      outcomes,
    })
})
