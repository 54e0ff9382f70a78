import {
  ArrowLeftRight,
  BookOpen,
  BookText,
  Hash,
  House,
  Inbox,
  List,
  ListVideo,
  type LucideIcon,
  SlidersHorizontal,
  User,
  Webhook,
  Zap,
} from 'lucide-react'

/** The screens in the order of the navigation: name, the key after `g`, and icon. */
export const screenList = {
  now: { name: 'Now', key: 'h', icon: House },
  requests: { name: 'Requests', key: 'r', icon: List },
  customers: { name: 'Customers', key: 'u', icon: User },
  accounts: { name: 'Accounts and ledger', key: 'a', icon: BookOpen },
  payments: { name: 'Payments', key: 'p', icon: ArrowLeftRight },
  vrns: { name: 'VRNs', key: 'v', icon: Hash },
  inject: { name: 'Inject', key: 'i', icon: Inbox },
  scenarios: { name: 'Scenarios', key: 's', icon: ListVideo },
  webhooks: { name: 'Webhooks', key: 'k', icon: Webhook },
  faults: { name: 'Faults', key: 'f', icon: Zap },
  reference: { name: 'API reference', key: 'e', icon: BookText },
  settings: { name: 'Program settings', key: ',', icon: SlidersHorizontal },
} as const satisfies Readonly<Record<string, { name: string; key: string; icon: LucideIcon }>>

export type ListedScreen = keyof typeof screenList
export const listedScreens = Object.keys(screenList) as ListedScreen[]

/** Not in the navigation: the page of a single record of any collection, and two worlds beside each other. */
export const unlisted = { record: 'Record', compare: 'Compare' } as const
export type Screen = ListedScreen | keyof typeof unlisted

export const isScreen = (text: string | undefined): text is Screen =>
  text !== undefined && (Object.hasOwn(screenList, text) || Object.hasOwn(unlisted, text))

export const nameOfScreen = (screen: Screen): string =>
  Object.hasOwn(unlisted, screen) ? unlisted[screen as keyof typeof unlisted] : screenList[screen as ListedScreen].name
