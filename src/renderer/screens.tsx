import { type ComponentType, lazy } from 'react'
import type { Screen } from './data/screen-list.ts'

/** The components of the screens. Each is a chunk of its own, loaded when first needed. */

function screen(load: () => Promise<ComponentType>) {
  return { load, component: lazy(async () => ({ default: await load() })) }
}

export const screens = {
  connect: screen(async () => (await import('./screens/connect/Connect.tsx')).Connect),
  requests: screen(async () => (await import('./screens/requests/Requests.tsx')).Requests),
  customers: screen(async () => (await import('./screens/customers/Customers.tsx')).Customers),
  accounts: screen(async () => (await import('./screens/accounts/Accounts.tsx')).Accounts),
  payments: screen(async () => (await import('./screens/payments/Payments.tsx')).Payments),
  vrns: screen(async () => (await import('./screens/vrns/Vrns.tsx')).Vrns),
  time: screen(async () => (await import('./screens/time/Time.tsx')).Time),
  inject: screen(async () => (await import('./screens/inject/Inject.tsx')).Inject),
  scenarios: screen(async () => (await import('./screens/scenarios/Scenarios.tsx')).Scenarios),
  snapshots: screen(async () => (await import('./screens/worlds/Snapshots.tsx')).Snapshots),
  worlds: screen(async () => (await import('./screens/worlds/Worlds.tsx')).Worlds),
  webhooks: screen(async () => (await import('./screens/webhooks/Webhooks.tsx')).Webhooks),
  faults: screen(async () => (await import('./screens/faults/Faults.tsx')).Faults),
  reference: screen(async () => (await import('./screens/reference/Reference.tsx')).Reference),
  settings: screen(async () => (await import('./screens/settings/Settings.tsx')).Settings),
  record: screen(async () => (await import('./screens/record/RecordPage.tsx')).RecordPage),
} as const satisfies Readonly<Record<Screen, { component: ComponentType; load: () => Promise<unknown> }>>

export const loadAllScreens = () => Promise.all(Object.values(screens).map(({ load }) => load()))

/** Loads the other screens, and `more`, while the browser is idle. */
export function preloadScreens(...more: readonly (() => Promise<unknown>)[]) {
  const whenIdle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 500))
  whenIdle(() => {
    for (const load of more) void load().catch(() => {})
    void loadAllScreens().catch(() => {})
  })
}
