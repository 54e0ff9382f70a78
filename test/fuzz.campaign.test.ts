import { expect, it } from 'vitest'
import { fuzz } from '../bench/fuzz/fuzz.ts'
import { campaignSize, isLong } from './support/campaign.ts'

/** The campaign of `npm run fuzz`. */

const REQUESTS = campaignSize(500, 3_000)
/** How many different error codes a run of this size provokes at least. */
const CODES = campaignSize(20, 30)
/** A short run calls others five times or less, and may make each of them invalid. */
const CALLED_OFTEN = ['createCustomer', 'createTransfer', 'createMockTransaction']
const OTHERS = ['createCombinedTransfer', 'createVirtualReferenceNumber', 'createReturn', 'onboardCustomer']
const OF_CONTROL = ['moves.make', 'world.rewind', 'records.actions']
const SUCCEED = [...CALLED_OFTEN, ...(isLong ? [...OTHERS, ...OF_CONTROL] : [])]

it(`${REQUESTS.toLocaleString('en')} requests generated from the contract: no defect, no hang, every response as declared`, async () => {
  const { problem, requests, sent, succeeded, reached, codes } = await fuzz({
    requests: REQUESTS,
    seed: 'each day',
  })
  expect(problem, requests.join('\n')).toBeUndefined()
  expect(sent).toBeGreaterThanOrEqual(REQUESTS)
  expect(succeeded, 'most of them succeed').toBeGreaterThan(sent / 2)
  expect(codes.size, 'and many are refused').toBeGreaterThan(CODES)
  expect(SUCCEED.filter((name) => !reached.has(name))).toEqual([])
})
