import { expect, it, onTestFinished } from 'vitest'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import type { ErrorBody } from '../../src/api/contract/error-body.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { listRecordActions } from '../../src/renderer/components/actions/record-actions.ts'
import type { CollectionName } from '../../src/renderer/data/collections.ts'
import { useFeed } from '../../src/renderer/data/feed.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { readSampleRecords } from '../../src/renderer/forms/sample-records.ts'
import { ipcBridge } from '../support/bridges.ts'
import { call } from '../support/operator.ts'
import { startSandbox } from '../support/sandbox.ts'

/** The actions on the pages of records, against the API. */

const COLLECTIONS: readonly CollectionName[] = ['customers', 'synthetic_accounts', 'transfers', 'transactions']

/** Whether a deadline has passed and whether there is enough money is known to the rules only; the response says so. */
const ONLY_RULES_KNOW = new Set([31002, 31007, 31011])

it('each action that a page offers is accepted by the API as it is filled in, and no other one', async () => {
  const sandbox = await startSandbox({ world: 'demo', start: Date.parse('2026-11-24T16:21:02Z') })
  onTestFinished(connect(ipcBridge(sandbox)))
  await expect.poll(() => useFeed.getState().connection).toBe('live')
  const api = sandbox.client()
  const { seq } = await call(sandbox, 'world.describe', {})
  const wrong: string[] = []
  for (const collection of COLLECTIONS) {
    const { data } = await call(sandbox, 'records.list', { collection, limit: 1000, include_zero: true } as never)
    for (const { uid } of data as unknown as { uid: string }[]) {
      const fields = await call(sandbox, 'records.get', { collection, uid } as never)
      for (const { label, endpoint, body, uid: inPath, whyNot } of listRecordActions({ collection, uid }, fields)) {
        const records = await readSampleRecords(api.program.uid, { record: { collection, uid } })
        const { method, path } = endpoints[endpoint] as Endpoint
        const answer = await api.call(method, path.replace('{uid}', inPath ?? ''), { json: body(records) })
        await call(sandbox, 'world.rewind', { seq })
        const code = (answer.body as Partial<ErrorBody>).errors?.[0]?.code
        if ((whyNot === null) !== answer.status < 400 && !ONLY_RULES_KNOW.has(code ?? 0))
          wrong.push(`${label} of ${collection} ${uid}, ${whyNot ?? 'offered'}: ${answer.status} ${answer.text}`)
      }
    }
  }
  expect(wrong).toEqual([])
})
