import { Api } from '../../generated/api.ts'
import type { Call } from './calls.ts'

export const call: Call = async ({ controlKey }) => {
  const control = new Api({ securityWorker: () => ({ headers: { 'x-control-key': controlKey } }) })
  const { data: advance } = await control.clockAdvance.clockAdvance({ by: 'PT1H' })
  const { data: clock } = await control.clockRead.clockRead({})
  return [clock.mode, clock.now === advance.to]
}
