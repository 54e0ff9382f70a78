import { it } from 'vitest'
import type { MethodName } from '../../src/api/contract/control/methods.ts'
import { openOperator } from '../support/operator-sandbox.ts'

it.each<[MethodName, object]>([
  ['tasks.run', {}],
  ['tasks.hold', {}],
  ['tasks.release', {}],
  ['records.history', { collection: 'customers' }],
  ['records.story', {}],
  ['why', { collection: 'customers' }],
])('%s refuses a missing uid, and names it', async (method, input) => {
  const { refused, control } = await openOperator()
  await refused(() => control[method](input as never), 'missingParameter', 'uid is missing')
})

it.each<MethodName>(['tasks.run', 'tasks.hold', 'tasks.release', 'records.story'])(
  '%s accepts only a uid',
  async (method) => {
    const { refused, control } = await openOperator()
    await refused(() => control[method]({ uid: 7 } as never), 'invalidArgument', /^uid: /)
    await refused(() => control[method]({ uid: 'x', force: true } as never), 'invalidArgument', /"force"/)
  },
)
