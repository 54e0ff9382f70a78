import type { Fault } from '../../api/contract/control/faults.ts'
import { errorText } from '../format/text.ts'
import type { ActiveFault } from './feed.ts'
import { sandbox } from './sandbox.ts'

/** Each resolves to an error text, or to null. */

export const clearFaults = (): Promise<string | null> => applyFaults(sandbox['faults.clear']({}))

/** Setting faults replaces all of them and restarts their counts. */
export const setFaults = (faults: readonly (Fault | ActiveFault)[]): Promise<string | null> =>
  applyFaults(sandbox['faults.set']({ faults: faults.map(withoutCount) }))

const withoutCount = ({ met: _, ...fault }: Fault & { met?: number }): Fault => fault

/** The notice of the change brings the list: the answer may come after what another client has set since. */
async function applyFaults(call: Promise<unknown>): Promise<string | null> {
  try {
    await call
    return null
  } catch (error) {
    return errorText(error)
  }
}
