import { createApiClient } from '../../generated/api.ts'
import type { Call } from './calls.ts'

export const call: Call = async ({ control: url, controlKey }) => {
  const control = createApiClient(url, { axiosConfig: { headers: { 'x-control-key': controlKey } } })
  const advance = await control['clock.advance']({ by: 'PT1H' })
  const clock = await control['clock.read']({})
  return [clock.mode, clock.now === advance.to]
}
