import {
  AppWindow,
  ArrowLeftRight,
  Camera,
  CircleDot,
  Copy,
  Download,
  GitFork,
  Keyboard,
  Moon,
  Plus,
  RotateCcw,
  Settings2,
  Sun,
  SunMoon,
  Undo2,
  Upload,
  Webhook,
  X,
  Zap,
} from 'lucide-react'
import type { Fault } from '../../../api/contract/control/faults.ts'
import type { CommitSummary } from '../../../api/contract/control/history.ts'
import { copyAddress } from '../../components/copy-address.ts'
import { navigateWithFocus } from '../../components/focus.ts'
import { clearFaults } from '../../data/faults.ts'
import { type Job, markChanged, type Program } from '../../data/feed.ts'
import { newWindowLabel, openNewWindow } from '../../data/new-window.ts'
import { flushRoute, useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { type ListedScreen, listedScreens, screenList } from '../../data/screen-list.ts'
import { chooseTheme, type Theme, themes } from '../../data/theme.ts'
import { chooseProgram } from '../../data/use-program.ts'
import { shownWorld } from '../../data/world-address.ts'
import { currentOrigin, forkWorld, openWorld, worldLabel } from '../../data/worlds.ts'
import { formatCause, suggestSnapshotName } from '../../format/commits.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { downloadFile } from '../../ui/download.ts'
import { jobName } from '../JobProgress.tsx'
import { screenIcons } from '../screen-icons.ts'
import { type Command, type CommandResult, runCommand } from './command.ts'

/** The commands that do not depend on the open record or the clock. */

interface ActionContext {
  readonly now: number
  readonly seq: number
  /** The commit that Undo would revert; undefined while it is loading. */
  readonly undone: CommitSummary | undefined
  readonly job: Job | null
  readonly faults: readonly Fault[]
  readonly programs: readonly Program[]
  readonly program: Program | undefined
  /** The named worlds. */
  readonly worlds: readonly string[]
  /** The names that are taken. */
  readonly snapshots: readonly string[]
  readonly theme: Theme
  readonly showShortcuts: () => void
}

export const screenCommands = (): Command[] =>
  listedScreens.map((screen: ListedScreen) => ({
    id: `go ${screen}`,
    icon: screenIcons[screen],
    title: screenList[screen].name,
    also: 'go to screen open show',
    keys: ['g', screenList[screen].key],
    run: () => void navigateWithFocus({ screen }) as undefined,
  }))

const themeIcons = { system: SunMoon, light: Sun, dark: Moon } as const

export function actionCommands(context: ActionContext, text: string): Command[] {
  return [
    ...jobCommands(context.job),
    ...worldCommands(context, text),
    ...otherWorldCommands(text === '' ? context.worlds.slice(-MAX_OFFERED) : context.worlds),
    ...fileCommands(context.seq),
    ...programCommands(context),
    ...resetCommands(),
    ...windowCommands(context),
  ]
}

function jobCommands(job: Job | null): Command[] {
  if (!job?.can_stop) return []
  return [
    {
      id: 'cancel work',
      icon: X,
      title: `Cancel: ${jobName(job).toLowerCase()}`,
      also: 'stop rewind restore replay export import keep save snapshot compare',
      detail:
        job.name === 'exchanges.replay' ? 'the requests sent so far keep their effect' : 'the world stays as it is',
      run: () =>
        runCommand(sandbox['work.cancel']({ uid: job.uid }), ({ canceled }) =>
          canceled ? 'canceled' : 'it had already ended',
        ),
    },
  ]
}

function worldCommands({ now, seq, undone, faults, snapshots }: ActionContext, text: string): Command[] {
  const typed = snapshotName(text)
  const name = typed ?? suggestSnapshotName(now, snapshots)
  return [
    {
      id: 'keep',
      icon: Camera,
      title: 'Save a snapshot',
      also: `keep world name ${/^(save|keep|snapshot)\b/i.test(text) ? text : ''}`,
      detail: snapshots.includes(name) ? `replaces ${name}, which cannot be undone` : `as ${name}`,
      fill: 'save a snapshot ',
      run: () => keepSnapshot(typed, now, snapshots),
    },
    {
      id: 'undo',
      icon: Undo2,
      title: 'Undo the last change',
      also: 'revert rewind back previous commit',
      detail: describeUndo(seq, undone),
      run: () => undo(seq),
    },
    ...(faults.length === 0
      ? []
      : [
          {
            id: 'clear faults',
            icon: Zap,
            title: 'Clear all faults',
            also: 'remove failures errors',
            detail: `${plural(faults.length, 'fault')} active`,
            run: async (): Promise<CommandResult> => {
              const refused = await clearFaults()
              return refused === null ? { message: 'faults cleared' } : { refused }
            },
          },
        ]),
  ]
}

/** Without a text. */
const MAX_OFFERED = 5

/** Another world is another page, so these commands end this one. */
function otherWorldCommands(worlds: readonly string[]): Command[] {
  const shown = shownWorld()
  const others = [null, ...worlds].filter((name) => name !== shown)
  return [
    {
      id: 'new world',
      icon: GitFork,
      title: 'New world from here',
      also: 'fork branch copy create another',
      detail: `a copy of ${worldLabel(shown)}`,
      run: async () => void (await forkWorld(currentOrigin())) as undefined,
    },
    ...others.map((name) => ({
      id: `world ${name ?? ''}`,
      icon: GitFork,
      title: name === null ? 'Open the root world' : `Open the world ${name}`,
      also: 'switch to world back',
      run: () => void openWorld(name) as undefined,
    })),
  ]
}

function fileCommands(seq: number): Command[] {
  return [
    {
      id: 'new scenario',
      icon: CircleDot,
      title: 'Record a new scenario',
      also: 'test steps from here',
      detail: `from commit ${formatCount(seq)} on`,
      run: () => void navigateWithFocus({ screen: 'scenarios', params: { record: [String(seq)] } }) as undefined,
    },
    {
      id: 'import',
      icon: Upload,
      title: 'Import a bundle, a HAR file or curl lines…',
      also: 'open file replay recording',
      run: () => void navigateWithFocus({ screen: 'requests', params: { replay: ['import'] } }) as undefined,
    },
    {
      id: 'export',
      icon: Download,
      title: 'Export a bundle',
      also: 'save file world share download masked',
      detail: 'personal data masked, keys excluded',
      run: () =>
        runCommand(sandbox['bundles.export']({}), (bundle) => {
          downloadFile(bundle.name, bundle.text, 'application/x-ndjson')
          return `${bundle.name}: ${plural(bundle.exchanges, 'request')}, ${plural(bundle.commits, 'commit')}`
        }),
    },
  ]
}

function programCommands({ programs, program }: ActionContext): Command[] {
  return [
    ...programs
      .filter(({ uid }) => uid !== program?.uid)
      .map(({ uid, name }) => ({
        id: `program ${uid}`,
        icon: ArrowLeftRight,
        title: `Switch to ${name}`,
        also: `program ${uid}`,
        detail: `Program ${uid}`,
        run: () => void chooseProgram(uid) as undefined,
      })),
    {
      id: 'new program',
      icon: Plus,
      title: 'New Program…',
      also: 'create another client',
      run: () => void navigateWithFocus({ screen: 'settings', params: { part: ['new'] } }) as undefined,
    },
    {
      id: 'new webhook',
      icon: Webhook,
      title: 'Add a webhook…',
      also: 'events subscribe endpoint receiver listen',
      run: () => void navigateWithFocus({ screen: 'webhooks', params: { form: ['new'] } }) as undefined,
    },
    {
      id: 'key',
      icon: Settings2,
      title: 'Rotate the HMAC key…',
      also: 'program secret new key',
      run: () => void navigateWithFocus({ screen: 'settings', params: { part: ['key'] } }) as undefined,
    },
  ]
}

const resetCommands = (): Command[] =>
  (['demo', 'empty'] as const).map((world) => ({
    id: `begin ${world}`,
    icon: RotateCcw,
    title: world === 'demo' ? 'Start over with a fresh demo world' : 'Start over with an empty world',
    also: 'begin reset restart new world clear',
    detail: 'same seed and start time; can be undone',
    run: () =>
      runCommand(sandbox['world.reset']({ world }), () => {
        navigateWithFocus({ screen: useRoute.getState().screen ?? 'connect' })
        return `started over with ${world === 'demo' ? 'a fresh demo' : 'an empty'} world; Undo restores the previous one`
      }),
  }))

function windowCommands({ theme, showShortcuts }: ActionContext): Command[] {
  return [
    {
      id: 'new window',
      icon: AppWindow,
      title: newWindowLabel('this view'),
      also: 'second window tab duplicate split',
      run: () => {
        flushRoute()
        openNewWindow(location.href)
        return undefined
      },
    },
    {
      id: 'copy address',
      icon: Copy,
      title: 'Copy the address of this view',
      also: 'link url share',
      keys: ['y'],
      run: async () => ({ message: await copyAddress() }),
    },
    ...themes
      .filter((other) => other !== theme)
      .map((other) => ({
        id: `theme ${other}`,
        icon: themeIcons[other],
        title: `Theme: ${other}`,
        also: 'appearance colors colours mode',
        run: () => void chooseTheme(other) as undefined,
      })),
    {
      id: 'keys',
      icon: Keyboard,
      title: 'Keyboard shortcuts',
      also: 'all keys help',
      keys: ['?'],
      run: () => ({ afterwards: showShortcuts }),
    },
  ]
}

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

/** `shown`: the names that were taken when the command said what it does. Another window may have saved one since. */
async function keepSnapshot(typed: string | null, now: number, shown: readonly string[]): Promise<CommandResult> {
  const taken = (await sandbox['snapshots.list']({})).snapshots.map(({ name }) => name)
  const name = typed ?? suggestSnapshotName(now, taken)
  if (taken.includes(name) && !shown.includes(name))
    return { refused: `There is a snapshot “${name}” now. Check again what would be replaced.` }
  return runCommand(sandbox['snapshots.keep']({ name }), ({ records }) => {
    markChanged('snapshots')
    return `saved as ${name}: ${formatCount(records ?? 0)} records`
  })
}

/** The commit of the last undo and the commit that it rewound to: the next undo continues from there. */
let lastUndo: { readonly seq: number; readonly to: number } | null = null
/** The commit that Undo rewinds to. */
export const undoTarget = (seq: number) => (lastUndo?.seq === seq ? lastUndo.to : seq) - 1

function describeUndo(seq: number, undone: CommitSummary | undefined): string {
  const to = undoTarget(seq)
  if (to < 0) return 'nothing to undo'
  const cause = undone?.seq === to + 1 ? `: ${formatCause(undone)}` : ''
  return `undoes commit ${formatCount(to + 1)}${cause}`
}

async function undo(seq: number): Promise<CommandResult> {
  const to = undoTarget(seq)
  if (to < 0) return { refused: 'There is no commit before this one.' }
  const { seq: newest } = await sandbox['world.describe']({})
  if (newest > seq)
    return {
      refused: `${plural(newest - seq, 'commit')} arrived meanwhile and would be undone, too. Check again what Undo would revert.`,
    }
  return runCommand(sandbox['world.rewind']({ seq: to }), (rewound) => {
    lastUndo = { seq: rewound.seq, to }
    return `rewound to commit ${formatCount(to)}`
  })
}
