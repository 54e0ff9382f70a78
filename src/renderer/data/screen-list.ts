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

/** Every screen that the navigation lists: its name, its key after `g`, and its icon. The order is that of the navigation. */
export const screenList = {
  connect: { name: 'Connect', key: 'c', icon: Plug },
  requests: { name: 'Requests', key: 'r', icon: List },
  customers: { name: 'Customers', key: 'u', icon: User },
  accounts: { name: 'Accounts and ledger', key: 'a', icon: BookOpen },
  payments: { name: 'Payments', key: 'p', icon: ArrowLeftRight },
  vrns: { name: 'VRNs', key: 'v', icon: Hash },
  time: { name: 'Time', key: 't', icon: Clock },
  inject: { name: 'Inject', key: 'i', icon: Inbox },
  scenarios: { name: 'Scenarios', key: 's', icon: ListVideo },
  snapshots: { name: 'Snapshots', key: 'n', icon: Layers },
  faults: { name: 'Faults', key: 'f', icon: Zap },
  reference: { name: 'API reference', key: 'e', icon: BookText },
  settings: { name: 'Program settings', key: ',', icon: SlidersHorizontal },
} as const satisfies Readonly<Record<string, { name: string; key: string; icon: LucideIcon }>>

export type ListedScreen = keyof typeof screenList
export const listedScreens = Object.keys(screenList) as ListedScreen[]

/** `record` is the page of one record, of whatever collection. */
export type Screen = ListedScreen | 'record'

export const isScreen = (text: string | undefined): text is Screen =>
  text === 'record' || (text !== undefined && Object.hasOwn(screenList, text))
