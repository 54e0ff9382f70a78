import type { Fault } from '../../api/contract/control/faults.ts'
import { errorText } from '../format/errors.ts'
import { type ActiveFault, useFeed } from './feed.ts'
import { sandbox } from './sandbox.ts'

/** Each resolves to an error text, or to null. */

export const clearFaults = (): Promise<string | null> => applyFaults(sandbox['faults.clear']({}))

/** Setting faults replaces all of them and restarts their counts. */
export const setFaults = (faults: readonly (Fault | ActiveFault)[]): Promise<string | null> =>
  applyFaults(sandbox['faults.set']({ faults: faults.map(withoutCount) }))

const withoutCount = ({ met: _, ...fault }: Fault & { met?: number }): Fault => fault

async function applyFaults(call: Promise<{ faults: ActiveFault[] }>): Promise<string | null> {
  try {
    const { faults } = await call
    useFeed.setState({ faults })
    return null
  } catch (error) {
    return errorText(error)
  }
}
