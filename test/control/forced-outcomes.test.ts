import { describe, expect, it } from 'vitest'
import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import { openBank } from '../support/operator-sandbox.ts'

type Forced = MethodInput<'requests.forced'>

describe('requests.forced', async () => {
  const { control, api, customer } = await openBank()
  const { body } = await api.get<{ data: Record<string, string>[] }>('/synthetic_account_types?limit=100')
  const type = body.data.find((one) => one.synthetic_account_category === 'ach_external')!
  const created = await api.post<{ uid: string }>('/synthetic_accounts', {
    name: 'Bayline Hotels',
    pool_uid: customer.pool,
    synthetic_account_type_uid: type.uid,
    account_number: '4410209902',
    routing_number: '021000021',
    ach: {},
  })
  const { uid } = created.body
  const outcomesOf = async (endpoint: Forced['endpoint'], body: unknown) =>
    (await control['requests.forced']({ endpoint, body })).outcomes
  const returned = ['The account number ends in 9902: an ACH is returned with R02 after it has settled.']

  it.each<[Forced['endpoint'], unknown, string[]]>([
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
  ])('%s with %j', async (endpoint, body, outcomes) => {
    expect(await outcomesOf(endpoint, body)).toEqual(outcomes)
  })
})
