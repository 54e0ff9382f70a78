import { setConfig } from '../../generated/kubb/.kubb/fetch.ts'
import { clockAdvance, clockRead } from '../../generated/kubb/index.ts'
import type { Call } from './calls.ts'

export const call: Call = async ({ control, controlKey }) => {
  setConfig({ baseURL: control, headers: { 'x-control-key': controlKey, 'content-type': 'application/json' } })
  const advance = await clockAdvance({ by: 'PT1H' })
  const clock = await clockRead({})
  return [clock.mode, clock.now === advance.to]
}
