import type { WorldChanges } from '../contract/control/changes.ts'
import { createControlClient } from '../contract/control/client.ts'
import type { SandboxClient } from './client.ts'

/** Work that is done in a world that is dropped after it: what it has changed. */

export interface DryRun {
  /** And what follows from it within this amount of time. */
  readonly advance?: string | undefined
}

export const controlOf = ({ call }: Pick<SandboxClient, 'call'>) =>
  createControlClient({ call, subscribe: () => () => {} })

export async function withChanges<T extends object>(
  client: Pick<SandboxClient, 'call'>,
  { advance }: DryRun,
  work: () => Promise<T>,
): Promise<T & { readonly changes: WorldChanges }> {
  const control = controlOf(client)
  const { seq } = await control['world.describe']({})
  const result = await work()
  if (advance !== undefined) await control['clock.advance']({ text: advance })
  return { ...result, changes: await control['world.changes']({ since: seq }) }
}
