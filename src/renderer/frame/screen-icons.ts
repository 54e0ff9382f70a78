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
import type { ListedScreen } from '../data/screen-list.ts'

export const screenIcons: Readonly<Record<ListedScreen, LucideIcon>> = {
  connect: Plug,
  requests: List,
  customers: User,
  accounts: BookOpen,
  payments: ArrowLeftRight,
  vrns: Hash,
  time: Clock,
  inject: Inbox,
  scenarios: ListVideo,
  snapshots: Layers,
  faults: Zap,
  reference: BookText,
  settings: SlidersHorizontal,
}
