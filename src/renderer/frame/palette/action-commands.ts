import {
  ArrowLeftRight,
  Camera,
  CircleDot,
  Copy,
  Download,
  Keyboard,
  Moon,
  Plus,
  RotateCcw,
  Settings2,
  Sun,
  SunMoon,
  Undo2,
  Upload,
  X,
  Zap,
} from 'lucide-react'
import type { Fault } from '../../../api/contract/control/faults.ts'
import type { CommitSummary } from '../../../api/contract/control/history.ts'
import { navigateWithFocus } from '../../components/focus.ts'
import { clearFaults } from '../../data/faults.ts'
import { type Job, markChanged, type Program } from '../../data/feed.ts'
import { flushRoute, useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { type ListedScreen, listedScreens, screenList } from '../../data/screen-list.ts'
import { chooseTheme, type Theme, themes } from '../../data/theme.ts'
import { chooseProgram } from '../../data/use-program.ts'
import { formatCause } from '../../format/commits.ts'
import { errorText } from '../../format/errors.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatIsoDate, newYork } from '../../format/time.ts'
import { copyText } from '../../ui/copy.ts'
import { downloadFile } from '../../ui/download.ts'
import { jobName } from '../JobProgress.tsx'
import { screenIcons } from '../screen-icons.ts'
import type { Command, CommandResult } from './command.ts'

/** What can be done from anywhere. */

interface ActionContext {
  readonly now: number
  readonly seq: number
  /** The commit that an undo would take back, once it is known. */
  readonly undone: CommitSummary | undefined
  readonly working: Job | null
  readonly faults: readonly Fault[]
  readonly programs: readonly Program[]
  readonly program: Program | undefined
  readonly theme: Theme
  readonly showKeys: () => void
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

export function actionCommands(around: ActionContext, text: string): Command[] {
  const { now, seq, undone, working, faults, programs, program, theme, showKeys } = around
  const name = snapshotName(text, now)
  return [
    ...(working?.can_stop
      ? [
          {
            id: 'cancel work',
            icon: X,
            title: `Cancel: ${jobName(working).toLowerCase()}`,
            also: 'stop rewind restore replay export import keep compare',
            detail: working.name === 'exchanges.replay' ? 'what was done so far stays' : 'the world stays as it is',
            run: () =>
              runCommand(sandbox['work.cancel']({ uid: working.uid }), ({ canceled }) =>
                canceled ? 'canceled' : 'it was over already',
              ),
          },
        ]
      : []),
    {
      id: 'keep',
      icon: Camera,
      title: 'Keep a snapshot',
      also: `save world name ${/^(keep|snapshot)\b/i.test(text) ? text : ''}`,
      detail: `as ${name}`,
      fill: 'keep a snapshot ',
      run: () =>
        runCommand(sandbox['snapshots.keep']({ name }), ({ records }) => {
          markChanged('snapshots')
          return `kept as ${name}: ${formatCount(records ?? 0)} records`
        }),
    },
    {
      id: 'undo',
      icon: Undo2,
      title: 'Undo the last change',
      also: 'rewind back previous commit',
      detail: describeUndo(seq, undone),
      run: () => undo(seq),
    },
    {
      id: 'copy address',
      icon: Copy,
      title: 'Copy the address of what you see',
      also: 'link url share',
      keys: ['y'],
      run: async () => {
        flushRoute()
        return { said: (await copyText(location.href)) ? 'address copied' : 'the address could not be copied' }
      },
    },
    ...(faults.length === 0
      ? []
      : [
          {
            id: 'clear faults',
            icon: Zap,
            title: 'Clear all faults',
            also: 'misfortune',
            detail: `${plural(faults.length, 'fault')} set`,
            run: async (): Promise<CommandResult> => {
              const refused = await clearFaults()
              return refused === null ? { said: 'no fault is set' } : { refused }
            },
          },
        ]),
    {
      id: 'new scenario',
      icon: CircleDot,
      title: 'New scenario from here on',
      also: 'record scenario test',
      detail: `records what you do from commit ${formatCount(seq)} on`,
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
      also: 'save file world hand on download masked',
      detail: 'personal data masked, keys left out',
      run: () =>
        runCommand(sandbox['bundles.export']({}), (bundle) => {
          downloadFile(bundle.name, bundle.text, 'application/x-ndjson')
          return `${bundle.name}: ${plural(bundle.exchanges, 'request')}, ${plural(bundle.commits, 'commit')}`
        }),
    },
    ...programs
      .filter(({ uid }) => uid !== program?.uid)
      .map(({ uid, name: of }) => ({
        id: `program ${uid}`,
        icon: ArrowLeftRight,
        title: `Switch to ${of}`,
        also: `program ${uid}`,
        detail: `Program ${uid}`,
        run: () => void chooseProgram(uid) as undefined,
      })),
    {
      id: 'new program',
      icon: Plus,
      title: 'New Program…',
      also: 'create further client',
      run: () => void navigateWithFocus({ screen: 'settings', params: { part: ['new'] } }) as undefined,
    },
    {
      id: 'key',
      icon: Settings2,
      title: 'Rotate the HMAC key…',
      also: 'program secret new key',
      run: () => void navigateWithFocus({ screen: 'settings', params: { part: ['key'] } }) as undefined,
    },
    ...(['demo', 'empty'] as const).map((world) => ({
      id: `begin ${world}`,
      icon: RotateCcw,
      title: world === 'demo' ? 'Begin a fresh demo world' : 'Begin a fresh empty world',
      also: 'reset restart new world clear',
      detail: 'of the same seed and start; can be undone',
      run: () =>
        runCommand(sandbox['world.reset']({ world }), () => {
          navigateWithFocus({ screen: useRoute.getState().screen ?? 'connect' })
          return `a fresh ${world} world has begun; undo brings the other back`
        }),
    })),
    ...themes
      .filter((other) => other !== theme)
      .map((other) => ({
        id: `theme ${other}`,
        icon: themeIcons[other],
        title: other === 'system' ? 'Theme: as the system has it' : `Theme: ${other}`,
        also: 'appearance colours mode',
        run: () => void chooseTheme(other) as undefined,
      })),
    {
      id: 'keys',
      icon: Keyboard,
      title: 'All keys',
      also: 'shortcuts help',
      keys: ['?'],
      run: () => ({ afterwards: showKeys }),
    },
  ]
}

export async function runCommand<T>(work: Promise<T>, say: (value: T) => string): Promise<CommandResult> {
  try {
    return { said: say(await work) }
  } catch (error) {
    return { refused: errorText(error) }
  }
}

/** Letters, digits, blanks, dots and dashes are what a name may have; a blank one is named by the clock. */
function snapshotName(text: string, now: number): string {
  const [, given = ''] = /^(?:keep|snapshot)\b(?:\s+a)?(?:\s+snapshot)?(?:\s+as)?\s+(.+)$/i.exec(text.trim()) ?? []
  const clean = given
    .replace(/[^\w .-]+/g, ' ')
    .trim()
    .replace(/^[^\w]+/, '')
  return clean.slice(0, 64).trim() || `${formatIsoDate(now)} ${newYork(now).time.replaceAll(':', '.')}`
}

/** The commit that undid last, and where it went back to: the next undo goes on from there. */
let lastUndo: { readonly seq: number; readonly to: number } | null = null
/** The commit after which the world would be again. */
export const undoTarget = (seq: number) => (lastUndo?.seq === seq ? lastUndo.to : seq) - 1

function describeUndo(seq: number, undone: CommitSummary | undefined): string {
  const to = undoTarget(seq)
  if (to < 0) return 'there is nothing before'
  const what = undone?.seq === to + 1 ? `: ${formatCause(undone)}` : ''
  return `takes back commit ${formatCount(to + 1)}${what}`
}

async function undo(seq: number): Promise<CommandResult> {
  const to = undoTarget(seq)
  if (to < 0) return { refused: 'There is no commit before this one.' }
  const { seq: newest } = await sandbox['world.describe']({})
  if (newest > seq)
    return {
      refused: `${plural(newest - seq, 'commit')} came meanwhile and would go, too. Look again what is taken back.`,
    }
  return runCommand(sandbox['world.rewind']({ seq: to }), (rewound) => {
    lastUndo = { seq: rewound.seq, to }
    return `the world is as it was after commit ${formatCount(to)}`
  })
}
