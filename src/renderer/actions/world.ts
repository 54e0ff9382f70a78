import {
  Bookmark,
  Camera,
  CircleDot,
  Download,
  Eye,
  GitCompareArrows,
  GitFork,
  type LucideIcon,
  Play,
  Redo2,
  RotateCcw,
  Undo2,
  Upload,
  X,
  Zap,
} from 'lucide-react'
import type { MethodInput, MethodOutput } from '../../api/contract/control/methods.ts'
import type { Repair } from '../../api/contract/control/repairs.ts'
import { type CollectionName, collections } from '../data/collections.ts'
import { clearFaults } from '../data/faults.ts'
import { markChanged, simulatedNow, useFeed } from '../data/feed.ts'
import { navigateWithFocus } from '../data/focus.ts'
import { jobName } from '../data/job-name.ts'
import { useRoute } from '../data/route.ts'
import { sandbox } from '../data/sandbox.ts'
import { NOT_SAVED, saveFile } from '../data/save-file.ts'
import { callOf } from '../data/trying.ts'
import { type UndoSteps, useShownSteps } from '../data/undo.ts'
import {
  branchWorld,
  compareAsOf,
  currentOrigin,
  forkWorld,
  freshWorlds,
  openAsOf,
  openWorld,
  useWorldAction,
} from '../data/worlds.ts'
import { suggestSnapshotName } from '../format/commits.ts'
import { formatCount, formatShortInstant, plural } from '../format/text.ts'
import { type Action, type ActionResult, call, opens, refusable } from './action.ts'

/** What can be done with the world and its faults, and with other worlds. */

/** Saves the world under the name in `text`, or a suggested one. `taken`: the names of snapshots, as the user knows them. */
export function saveSnapshot(text: string, taken: readonly string[]): Action {
  const now = simulatedNow(useFeed.getState())
  const typed = snapshotName(text)
  const name = typed ?? suggestSnapshotName(now, taken)
  return {
    id: 'keep',
    icon: Camera,
    title: 'Save a snapshot',
    also: `keep world name ${/^(save|keep|snapshot)\b/i.test(text) ? text : ''}`,
    detail: taken.includes(name) ? `replaces ${name}, which cannot be undone` : `as ${name}`,
    fill: 'save a snapshot ',
    run: () => keepSnapshot(typed, now, taken),
  }
}

/** Saves the whole world under a name with this record and the commit. */
export const saveRecordSnapshot = (collection: CollectionName, uid: string): Action => ({
  id: 'keep record',
  icon: Bookmark,
  title: 'Save snapshot',
  failed: 'The snapshot was not saved.',
  run: async () => {
    const { seq } = await sandbox['world.describe']({})
    const name = `${collections[collection].one} ${uid} at ${seq}`.slice(0, 64)
    return call(sandbox['snapshots.keep']({ name }), (kept) => {
      markChanged('snapshots')
      return `Saved: ${kept.name}`
    })
  },
})

/** The typed name, reduced to the letters, digits, spaces, dots and dashes that a name may have. */
function snapshotName(text: string): string | null {
  const [, typed = ''] =
    /^(?:save|keep|snapshot)\b(?:\s+a)?(?:\s+snapshot)?(?:\s+as)?(?:\s+(.+))?$/i.exec(text.trim()) ?? []
  const clean = typed
    .replace(/[^\w .-]+/g, ' ')
    .trim()
    .replace(/^[^\w]+/, '')
  return clean.slice(0, 64).trim() || null
}

/** Another window may have saved one since the action said what it does. */
async function keepSnapshot(typed: string | null, now: number, shown: readonly string[]): Promise<ActionResult> {
  const taken = (await sandbox['snapshots.list']({})).snapshots.map(({ name }) => name)
  const name = typed ?? suggestSnapshotName(now, taken)
  if (taken.includes(name) && !shown.includes(name))
    return { refused: `There is a snapshot “${name}” now. Check again what would be replaced.` }
  return call(sandbox['snapshots.keep']({ name }), ({ records }) => {
    markChanged('snapshots')
    return `saved as ${name}: ${formatCount(records ?? 0)} records`
  })
}

/** `steps`: what they would do, as the user was shown it; undefined where nothing is shown. */
export const stackActions = (steps = useShownSteps.getState().steps): readonly Action[] => [
  stackAction('undo', steps?.undo),
  stackAction('redo', steps?.redo),
]

function stackAction(name: 'undo' | 'redo', step: UndoSteps['undo'] | undefined): Action {
  const others = (step?.operations ?? 1) - 1
  const nothing = `nothing to ${name}`
  return {
    id: name,
    icon: name === 'undo' ? Undo2 : Redo2,
    title: name === 'undo' ? 'Undo' : 'Redo',
    also: name === 'undo' ? 'revert rewind back previous last change' : 'repeat forward again',
    detail: step
      ? `${step.says}${others > 0 ? `, and ${plural(others, 'other operation')}` : ''}`
      : step === null
        ? nothing
        : '',
    keys: name === 'undo' ? ['u'] : ['Shift', 'U'],
    blocked: step === null ? `There is ${nothing}.` : null,
    failed: 'The world was not changed.',
    run: async () => {
      const now = (await sandbox['operations.preview']({}))[name]
      if (!now) return { refused: `There is ${nothing}.` }
      if (step && (now.to !== step.to || now.operations !== step.operations))
        return {
          refused: `Something else has changed meanwhile. Check again what would be ${name === 'undo' ? 'undone' : 'redone'}.`,
        }
      return call(sandbox[`operations.${name}`]({}), ({ says }) => `${name === 'undo' ? 'undone' : 'redone'}: ${says}`)
    },
    tries: [callOf(`operations.${name}`, {})],
  }
}

export const startOver = (): Action[] =>
  (useFeed.getState().world?.resets_to ?? []).map((world) => ({
    id: `begin ${world}`,
    icon: RotateCcw,
    title: `Start over with ${freshWorlds[world]}`,
    also: 'begin reset restart new world clear',
    detail: 'same seed and start time; can be undone',
    run: () =>
      call(sandbox['world.reset']({ world }), () => {
        navigateWithFocus({ screen: useRoute.getState().screen ?? 'now' })
        return `started over with ${freshWorlds[world]}; Undo restores the previous one`
      }),
  }))

export const clearFaultsAction = (): Action => ({
  id: 'clear faults',
  icon: Zap,
  title: 'Clear all faults',
  label: 'Clear all',
  also: 'remove failures errors',
  detail: `${plural(useFeed.getState().faults.length, 'fault')} active`,
  failed: 'The faults were not changed.',
  run: () => refusable(clearFaults(), 'faults cleared'),
})

/** Sends a repair of a refused request, by default the first one, and shows the answer in the inspector. */
export const sendRepaired = (uid: string, repair?: Repair): Action => ({
  id: `send repaired ${uid}`,
  icon: Play,
  title: repair?.advance === undefined ? 'Send repaired' : `Advance ${repair.advance} and send`,
  keys: ['s'],
  failed: 'The repaired request was not sent.',
  run: async () => {
    const { repairs, none } = repair ? { repairs: [repair], none: null } : await sandbox['exchanges.repair']({ uid })
    const [first] = repairs
    if (!first) return { refused: none ?? 'No repair was found.' }
    if (first.advance !== undefined) await sandbox['clock.advance']({ text: first.advance })
    const { uid: sent, status, did } = await sandbox['exchanges.send'](first.request)
    useRoute.getState().adjust({ record: sent })
    return { message: `${first.say}: ${status}, ${did}` }
  },
  tries: repair && [
    ...(repair.advance === undefined ? [] : [callOf('clock.advance', { text: repair.advance })]),
    callOf('exchanges.send', repair.request),
  ],
})

/** Cancels the job that the sandbox runs, unless it has come too far. */
export function cancelJob(): Action | null {
  const { job } = useFeed.getState()
  if (!job?.can_stop) return null
  return {
    id: 'cancel work',
    icon: X,
    title: `Cancel: ${jobName(job).toLowerCase()}`,
    label: 'Cancel',
    also: 'stop rewind restore replay export import keep save snapshot compare',
    detail: job.name === 'exchanges.replay' ? 'the requests sent so far keep their effect' : 'the world stays as it is',
    run: () =>
      call(sandbox['work.cancel']({ uid: job.uid }), ({ canceled }) =>
        canceled ? 'canceled' : 'it had already ended',
      ),
  }
}

const NO_WORLD = 'No world was created.'
const isCreating = () => (useWorldAction.getState().isBusy ? 'A world is being created.' : null)

/** Another world is another page, so this ends the present one. Without a commit it is a copy of the world as it is now. */
export const newWorld = (commit?: number): Action => ({
  id: 'new world',
  icon: GitFork,
  title: commit === undefined ? 'New world from here' : `New world from commit ${formatCount(commit)}`,
  also: 'fork branch copy create another',
  detail: 'Creates a copy of this world and opens it. This world does not change.',
  blocked: isCreating(),
  failed: NO_WORLD,
  run: () => call(forkWorld(commit === undefined ? currentOrigin() : { commit })),
})

const pastAction = (
  id: string,
  title: string,
  icon: LucideIcon,
  detail: string,
  work: () => Promise<unknown>,
): Action => ({
  id,
  icon,
  title,
  detail,
  blocked: isCreating(),
  failed: NO_WORLD,
  run: () => call(work()),
})

/** What can be done with the world as it was after a commit. */
export const lookAt = (commit: number) =>
  pastAction('look', 'Look', Eye, 'every page as of then; nothing can be changed', () => openAsOf(commit))

/** From a world that is looked at, back to the one that it is of. */
export function leaveLook(): Action | null {
  const look = useFeed.getState().world?.look
  if (!look) return null
  const { of } = look
  return {
    id: 'leave',
    icon: X,
    title: `Back to ${of ?? 'the root world'} as it is now`,
    label: 'Leave',
    also: 'look close end as of now',
    run: () => call(openWorld(of)),
  }
}

export const compareWithNow = (commit: number) =>
  pastAction('compare', 'Compare with now', GitCompareArrows, 'what has changed since', () => compareAsOf(commit))

export const rewindTo = (commit: number): Action => ({
  id: 'rewind',
  icon: RotateCcw,
  title: 'Rewind to here',
  detail: `to commit ${formatCount(commit)}; can be undone`,
  blocked: commit === useFeed.getState().seq ? 'This is the world as it is now.' : null,
  failed: 'The world was not changed.',
  run: () => call(sandbox['world.rewind']({ seq: commit }), describeRestore),
  tries: [callOf('world.rewind', { seq: commit })],
})

/** Of a rewind, a restore or a reset. */
export const describeRestore = ({ now, changed }: MethodOutput<'world.rewind'>) =>
  `The clock is at ${formatShortInstant(Date.parse(now))}, ${plural(changed, 'record')} changed.`

export const branchAndCompare = (collection: string, uid: string): Action => ({
  id: 'branch',
  icon: GitCompareArrows,
  title: 'Branch and compare',
  also: 'fork two worlds decide differently what if',
  detail:
    'Creates two copies of this world, to decide differently in each and compare them. This world does not change.',
  blocked: isCreating(),
  failed: NO_WORLD,
  run: () => call(branchWorld({ collection, uid })),
})

export const openWorldAction = (name: string | null): Action => ({
  id: `world ${name ?? ''}`,
  icon: GitFork,
  title: name === null ? 'Open the root world' : `Open the world ${name}`,
  also: 'switch to world back',
  run: () => call(openWorld(name)),
})

export const recordScenario = (): Action => ({
  id: 'new scenario',
  icon: CircleDot,
  title: 'Record a new scenario',
  also: 'test steps from here',
  detail: `from commit ${formatCount(useFeed.getState().seq)} on`,
  run: opens({ screen: 'scenarios', params: { record: [String(useFeed.getState().seq)] } }),
})

export const importFile: Action = {
  id: 'import',
  icon: Upload,
  title: 'Import a bundle, a HAR file or curl lines…',
  also: 'open file replay recording',
  run: opens({ screen: 'requests', params: { replay: ['import'] } }),
}

export const exportBundleAction: Action = {
  id: 'export',
  icon: Download,
  title: 'Export a bundle',
  also: 'save file world share download masked',
  detail: 'personal data masked, keys excluded',
  run: () => call(exportBundle({}), ({ text }) => text),
}

/** Saves the bundle and says what it contains. */
export async function exportBundle(input: MethodInput<'bundles.export'>) {
  const bundle = await sandbox['bundles.export'](input)
  const isSaved = await saveFile(bundle.name, bundle.text, 'application/x-ndjson')
  if (!isSaved) return { text: NOT_SAVED, cut: 0 }
  const contents = [
    plural(bundle.exchanges, 'request'),
    plural(bundle.acts, 'operator action'),
    plural(bundle.commits, 'commit'),
  ]
  return { text: `${bundle.name}: ${contents.join(', ')}`, cut: bundle.cut }
}
