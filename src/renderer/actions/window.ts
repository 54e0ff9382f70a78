import {
  AppWindow,
  ArrowLeftRight,
  CalendarDays,
  Camera,
  Clock,
  GitFork,
  History,
  Keyboard,
  Link,
  ListTodo,
  Moon,
  Pencil,
  Plug,
  Plus,
  RotateCcw,
  Settings2,
  Sun,
  SunMoon,
  Webhook,
} from 'lucide-react'
import { useFeed } from '../data/feed.ts'
import { linePaneNames, linePanes, openLine } from '../data/line.ts'
import { newWindowLabel, openNewWindow } from '../data/new-window.ts'
import { openConnect, showShortcuts } from '../data/overlays.ts'
import { flushRoute, type Route, useRoute } from '../data/route.ts'
import { listedScreens, screenList } from '../data/screen-list.ts'
import { chooseTheme, themes, useTheme } from '../data/theme.ts'
import { chooseProgram } from '../data/use-program.ts'
import { copyText } from '../ui/Button.tsx'
import { type Action, opens } from './action.ts'

/** What can be done with the window: where it goes and how it looks. */

const paneIcons = {
  line: Clock,
  month: CalendarDays,
  tasks: ListTodo,
  operations: History,
  snapshots: Camera,
  worlds: GitFork,
} as const

const openPaneActions = linePaneNames.map((pane) => ({
  id: `go ${pane}`,
  icon: paneIcons[pane],
  title: linePanes[pane].name,
  also: 'go to open show time history schedule',
  keys: ['g', linePanes[pane].key],
  run: () => ({ afterwards: () => openLine(pane) }),
}))

export const openScreenActions: readonly Action[] = listedScreens
  .map(
    (screen): Action => ({
      id: `go ${screen}`,
      icon: screenList[screen].icon,
      title: screenList[screen].name,
      also: 'go to screen open show',
      keys: ['g', screenList[screen].key],
      run: opens({ screen }),
    }),
  )
  .concat(
    {
      id: 'go connect',
      icon: Plug,
      title: 'Connect',
      also: 'go to open show base url address hmac key snippet code',
      keys: ['g', 'c'],
      run: () => ({ afterwards: openConnect }),
    },
    openPaneActions,
  )

/** `shown`: the uid of the Program that the window shows. */
export const switchProgramActions = (shown: string | undefined): Action[] =>
  useFeed
    .getState()
    .programs.filter(({ uid }) => uid !== shown)
    .map(({ uid, name }) => ({
      id: `program ${uid}`,
      icon: ArrowLeftRight,
      title: `Switch to ${name}`,
      also: `program ${uid}`,
      detail: `Program ${uid}`,
      run: () => chooseProgram(uid),
    }))

/** What can be done with a request of the log: each opens a form over the list, whose filters stay. */
export const requestActions = (uid: string): readonly Action[] => {
  const opensForm = (params: Route['params']) => () => {
    const { edit: _, ...others } = useRoute.getState().params
    return useRoute.getState().go({ screen: 'requests', record: uid, params: { ...others, ...params } }) as undefined
  }
  const edit = { id: 'edit request', icon: Pencil, title: 'Edit and resend', keys: ['e'] }
  const replay = { id: 'replay request', icon: RotateCcw, title: 'Replay…', keys: ['r'] }
  return [
    { ...edit, run: opensForm({ edit: ['yes'] }) },
    { ...replay, run: opensForm({ replay: ['own'] }) },
  ]
}

/** Each opens a form. */
export const formActions: readonly Action[] = [
  {
    id: 'new program',
    icon: Plus,
    title: 'New Program…',
    also: 'create another client',
    run: opens({ screen: 'settings', params: { part: ['new'] } }),
  },
  {
    id: 'new webhook',
    icon: Webhook,
    title: 'Add a webhook…',
    also: 'events subscribe endpoint receiver listen',
    run: opens({ screen: 'webhooks', params: { form: ['new'] } }),
  },
  {
    id: 'key',
    icon: Settings2,
    title: 'Rotate the HMAC key…',
    also: 'program secret new key',
    run: opens({ screen: 'settings', params: { part: ['key'] } }),
  },
]

export const newWindowAction = (): Action => ({
  id: 'new window',
  icon: AppWindow,
  title: newWindowLabel('this view'),
  also: 'second window tab duplicate split',
  run: () => {
    flushRoute()
    return openNewWindow(location.href)
  },
})

export const copyAddressAction: Action = {
  id: 'copy address',
  icon: Link,
  title: 'Copy the address of this view',
  label: 'Copy address',
  also: 'link url share',
  keys: ['y'],
  run: async () => ({ message: await copyAddress() }),
}

const themeIcons = { system: SunMoon, light: Sun, dark: Moon } as const

export const themeActions = (): Action[] =>
  themes
    .filter((theme) => theme !== useTheme.getState().theme)
    .map((theme) => ({
      id: `theme ${theme}`,
      icon: themeIcons[theme],
      title: `Theme: ${theme}`,
      also: 'appearance colors colours mode',
      run: () => chooseTheme(theme),
    }))

export const shortcutsAction: Action = {
  id: 'keys',
  icon: Keyboard,
  title: 'Keyboard shortcuts',
  label: 'Shortcuts',
  also: 'all keys help',
  keys: ['?'],
  run: () => ({ afterwards: showShortcuts }),
}

/** Copies the address of the present view, and says so. */
async function copyAddress(): Promise<string> {
  flushRoute()
  return (await copyText(location.href)) ? 'Address copied' : 'The address could not be copied'
}
