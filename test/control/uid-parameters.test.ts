import { it } from 'vitest'
import type { MethodName } from '../../src/api/contract/control/methods.ts'
import { expectRefusedCall } from '../support/operator.ts'
import { openOperator } from '../support/operator-sandbox.ts'

it.each<[MethodName, object]>([
  ['tasks.run', {}],
  ['tasks.hold', {}],
  ['tasks.release', {}],
  ['records.history', { collection: 'customers' }],
  ['records.story', {}],
  ['why', { collection: 'customers' }],
])('%s refuses a missing uid, and names it', async (method, input) => {
  const { sandbox, control } = await openOperator()
  await expectRefusedCall(sandbox, () => control[method](input as never), 'missingParameter', 'uid is missing')
})

it.each<MethodName>(['tasks.run', 'tasks.hold', 'tasks.release', 'records.story'])(
  '%s accepts only a uid',
  async (method) => {
    const { sandbox, control } = await openOperator()
    await expectRefusedCall(sandbox, () => control[method]({ uid: 7 } as never), 'invalidArgument', /^uid: /)
    await expectRefusedCall(
      sandbox,
      () => control[method]({ uid: 'x', force: true } as never),
      'invalidArgument',
      /"force"/,
    )
  },
)
