import { expect, it } from 'vitest'
import { fuzz } from '../bench/fuzz/fuzz.ts'
import { campaignSize, isLong } from './support/campaign.ts'

/** The campaign of `npm run fuzz`. */

const REQUESTS = campaignSize(500, 3_000)
/** How many different error codes a run of this size provokes at least. */
const CODES = campaignSize(20, 30)
/** Of a short run only what hardly depends on its choices: a return needs a payment that has settled. */
const PAYMENTS = ['createTransfer', 'createCombinedTransfer', 'createVirtualReferenceNumber']
const SUCCEED = [
  ...PAYMENTS,
  ...(isLong ? ['createReturn', 'onboardCustomer', 'moves.make', 'world.rewind', 'records.actions'] : []),
]

it(`${REQUESTS.toLocaleString('en')} requests generated from the contract: no defect, no hang, every response as declared`, async () => {
  const { problem, requests, sent, succeeded, reached, codes } = await fuzz({
    requests: REQUESTS,
    seed: 'daily',
  })
  expect(problem, requests.join('\n')).toBeUndefined()
  expect(sent).toBeGreaterThanOrEqual(REQUESTS)
  expect(succeeded, 'most of them succeed').toBeGreaterThan(sent / 2)
  expect(codes.size, 'and many are refused').toBeGreaterThan(CODES)
  expect([...reached]).toEqual(expect.arrayContaining(SUCCEED))
})
