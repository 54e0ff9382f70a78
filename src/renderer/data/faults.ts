import type { Fault } from '../../api/contract/control.ts'
import { errorText } from '../format/errors.ts'
import { type ActiveFault, useFeed } from './feed.ts'
import { sandbox } from './sandbox.ts'

/** Each resolves to a refusal in words, or to null. */

export const clearFaults = (): Promise<string | null> => shown(sandbox['faults.clear']({}))

/** Setting begins the counts anew: it takes the place of all that was set before. */
export const setFaults = (faults: readonly (Fault | ActiveFault)[]): Promise<string | null> =>
  shown(sandbox['faults.set']({ faults: faults.map(asAsked) }))

const asAsked = ({ met: _, ...fault }: Fault & { met?: number }): Fault => fault

async function shown(asked: Promise<{ faults: ActiveFault[] }>): Promise<string | null> {
  try {
    const { faults } = await asked
    useFeed.setState({ faults })
    return null
  } catch (error) {
    return errorText(error)
  }
}
