import {
  ArrowLeftRight,
  BookOpen,
  BookText,
  Clock,
  GitFork,
  Hash,
  Inbox,
  Layers,
  List,
  ListVideo,
  type LucideIcon,
  Plug,
  SlidersHorizontal,
  User,
  Webhook,
  Zap,
} from 'lucide-react'

/** The screens in the order of the navigation: name, the key after `g`, and icon. */
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
  worlds: { name: 'Worlds', key: 'w', icon: GitFork },
  webhooks: { name: 'Webhooks', key: 'h', icon: Webhook },
  faults: { name: 'Faults', key: 'f', icon: Zap },
  reference: { name: 'API reference', key: 'e', icon: BookText },
  settings: { name: 'Program settings', key: ',', icon: SlidersHorizontal },
} as const satisfies Readonly<Record<string, { name: string; key: string; icon: LucideIcon }>>

export type ListedScreen = keyof typeof screenList
export const listedScreens = Object.keys(screenList) as ListedScreen[]

/** `record` is the page of a single record of any collection. */
export type Screen = ListedScreen | 'record'

export const isScreen = (text: string | undefined): text is Screen =>
  text === 'record' || (text !== undefined && Object.hasOwn(screenList, text))
