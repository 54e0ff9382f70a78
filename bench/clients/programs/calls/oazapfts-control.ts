import * as control from '../../generated/api.ts'
import type { Call } from './calls.ts'

export const call: Call = async ({ controlKey }) => {
  control.defaults.headers = { 'x-control-key': controlKey }
  const advance = await control.clockAdvance({ by: 'PT1H' })
  const clock = await control.clockRead({})
  if (advance.status !== 200 || clock.status !== 200) throw new Error(JSON.stringify([advance, clock]))
  return [clock.data.mode, clock.data.now === advance.data.to]
}
