import type { WorldChanges } from '../../api/contract/control/changes.ts'
import type { MethodName } from '../../api/contract/control/methods.ts'
import type { ApiError } from '../../api/contract/errors.ts'
import { CommandError, type Input, OptionError } from './command.ts'
import { formatDifferences, formatPart } from './differences.ts'
import { callControl, type RunningSandbox } from './running.ts'

/** `--dry-run`: what a call would do, and what would follow until `--advance`; in a copy of the world that is dropped. */

interface DryRunValues {
  readonly 'dry-run'?: boolean
  readonly advance?: string
}

/** Whether a command changes nothing. Refuses an amount of time that cannot be read: asked before anything runs. */
export async function isDryRun({ values }: Input): Promise<boolean> {
  const { 'dry-run': isDry = false, advance } = values as DryRunValues
  if (advance !== undefined && !isDry)
    throw new OptionError('--advance: --dry-run is expected, too; sandbank clock advance advances the clock')
  if (advance !== undefined) await refuseNoAmount(advance)
  return isDry
}

/**
 * What an amount of time means depends on the clock of a world, which is not known yet; whether it means something, not: at midnight each time
 * of a day is still to come.
 */
async function refuseNoAmount(text: string) {
  // Loaded here, as other commands start faster without it.
  const { readAmountOfTime } = await import('../../api/contract/terms/amounts-of-time.ts')
  try {
    readAmountOfTime(text, MIDNIGHT_IN_NEW_YORK)
  } catch (error) {
    const { extra } = error as Partial<ApiError>
    throw extra === undefined ? error : new OptionError(`--advance: ${extra}`)
  }
}
const MIDNIGHT_IN_NEW_YORK = Date.parse('2026-01-01T05:00Z')

/** For work that a command does itself; undefined if it is no dry run. */
export const readDryRun = async (input: Input): Promise<{ readonly advance: string | undefined } | undefined> =>
  (await isDryRun(input)) ? { advance: (input.values as DryRunValues).advance } : undefined

/** Returns the answer of the call, too. */
export async function dryRun(sandbox: RunningSandbox, { values }: Input, method: MethodName, input: unknown) {
  const { advance: text } = values as DryRunValues
  const calls = [{ method, input }, ...(text === undefined ? [] : [{ method: 'clock.advance', input: { text } }])]
  const tried = await callControl(sandbox, 'worlds.try', { calls })
  const refused = tried.answers.at(-1)?.refused
  if (refused) {
    const [{ detail, extra } = { detail: '', extra: undefined }] = refused.errors
    throw new CommandError(extra ?? detail, refused.status)
  }
  return { ...tried, output: tried.answers[0]!.output }
}

export function formatChanges(changes: WorldChanges): string {
  const { events, tasks, total_count } = changes
  const parts = [
    ...formatDifferences(changes),
    formatPart('Events', total_count.events, events.map(eventRow)),
    formatPart(
      'Due later',
      total_count.tasks,
      tasks.map(({ due_at, why }) => [due_at, why]),
    ),
  ].filter((text) => text !== '')
  return [
    'Nothing was changed. It would do this:',
    ...(parts.length > 0 ? parts : ['No balance, record, event or task would change.']),
  ].join('\n\n')
}

const eventRow = ({ topic, event_type, record_uid, sent_to }: WorldChanges['events'][number]) => [
  `${topic}.${event_type}`,
  record_uid ?? '',
  `to ${sent_to.join(', ') || 'no address'}`,
]
