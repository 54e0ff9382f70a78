import {
  ArrowLeftRight,
  BookOpen,
  BookText,
  Clock,
  Hash,
  Inbox,
  Layers,
  List,
  ListVideo,
  type LucideIcon,
  Plug,
  SlidersHorizontal,
  User,
  Zap,
} from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import type { Screen } from './stores/view.ts'

/** Every screen, said once: its name, its key after `g`, its place in the navigation, and where its code is. */

interface Place {
  readonly name: string
  readonly drawn: ComponentType
  /** Fetches its code ahead of the first visit. */
  readonly load: () => Promise<unknown>
}

interface Listed extends Place {
  readonly key: string
  readonly icon: LucideIcon
}

function place(name: string, load: () => Promise<ComponentType>): Place {
  return { name, load, drawn: lazy(async () => ({ default: await load() })) }
}
const listed = (name: string, key: string, icon: LucideIcon, load: () => Promise<ComponentType>): Listed => ({
  ...place(name, load),
  key,
  icon,
})

export const places = {
  connect: listed('Connect', 'c', Plug, async () => (await import('./screens/connect/Connect.tsx')).Connect),
  requests: listed('Requests', 'r', List, async () => (await import('./screens/requests/Requests.tsx')).Requests),
  customers: listed('Customers', 'u', User, async () => (await import('./screens/customers/Customers.tsx')).Customers),
  accounts: listed(
    'Accounts and ledger',
    'a',
    BookOpen,
    async () => (await import('./screens/accounts/Accounts.tsx')).Accounts,
  ),
  payments: listed(
    'Payments',
    'p',
    ArrowLeftRight,
    async () => (await import('./screens/payments/Payments.tsx')).Payments,
  ),
  vrns: listed('VRNs', 'v', Hash, async () => (await import('./screens/vrns/Vrns.tsx')).Vrns),
  time: listed('Time', 't', Clock, async () => (await import('./screens/time/Time.tsx')).Time),
  inject: listed('Inject', 'i', Inbox, async () => (await import('./screens/inject/Inject.tsx')).Inject),
  scenarios: listed(
    'Scenarios',
    's',
    ListVideo,
    async () => (await import('./screens/scenarios/Scenarios.tsx')).Scenarios,
  ),
  snapshots: listed(
    'Snapshots',
    'n',
    Layers,
    async () => (await import('./screens/snapshots/Snapshots.tsx')).Snapshots,
  ),
  faults: listed('Faults', 'f', Zap, async () => (await import('./screens/faults/Faults.tsx')).Faults),
  reference: listed(
    'API reference',
    'e',
    BookText,
    async () => (await import('./screens/reference/Reference.tsx')).Reference,
  ),
  settings: listed(
    'Program settings',
    ',',
    SlidersHorizontal,
    async () => (await import('./screens/settings/Settings.tsx')).Settings,
  ),
  record: place('Record', async () => (await import('./screens/record/RecordPage.tsx')).RecordPage),
} as const satisfies Readonly<Record<Screen, Place>>

export type ListedScreen = Exclude<Screen, 'record'>
export const listedScreens = (Object.keys(places) as Screen[]).filter((screen) => screen !== 'record')

export const loadAll = () => Promise.all(Object.values(places).map(({ load }) => load()))

/** Once the first screen stands, the others come while nobody waits. */
export function loadAhead(...more: readonly (() => Promise<unknown>)[]) {
  const later = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 500))
  later(() => {
    for (const load of more) void load().catch(() => {})
    void loadAll().catch(() => {})
  })
}
