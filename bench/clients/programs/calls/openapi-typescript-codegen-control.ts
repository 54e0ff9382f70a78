import { ClockService, OpenAPI } from '../../generated/index.ts'
import type { Call } from './calls.ts'

export const call: Call = async ({ controlKey }) => {
  OpenAPI.HEADERS = { 'x-control-key': controlKey }
  const advance = await ClockService.clockAdvance({ requestBody: { by: 'PT1H' } })
  const clock = await ClockService.clockRead({})
  return [clock.mode, clock.now === advance.to]
}
