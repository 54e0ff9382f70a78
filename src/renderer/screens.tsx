import { type ComponentType, lazy } from 'react'
import type { Screen } from './data/screen-list.ts'
import { loadLate } from './frame/late.tsx'
import { Now } from './screens/now/Now.tsx'

/** The components of the screens. Each but the first is a chunk of its own, loaded when first needed. */

export function loadLater(load: () => Promise<ComponentType>) {
  return { load, component: lazy(async () => ({ default: await load() })) }
}

export const screens = {
  now: { load: async () => Now, component: Now },
  requests: loadLater(async () => (await import('./screens/requests/Requests.tsx')).Requests),
  customers: loadLater(async () => (await import('./screens/customers/Customers.tsx')).Customers),
  accounts: loadLater(async () => (await import('./screens/accounts/Accounts.tsx')).Accounts),
  payments: loadLater(async () => (await import('./screens/payments/Payments.tsx')).Payments),
  vrns: loadLater(async () => (await import('./screens/vrns/Vrns.tsx')).Vrns),
  inject: loadLater(async () => (await import('./screens/inject/Inject.tsx')).Inject),
  scenarios: loadLater(async () => (await import('./screens/scenarios/Scenarios.tsx')).Scenarios),
  compare: loadLater(async () => (await import('./screens/compare/Compare.tsx')).Compare),
  webhooks: loadLater(async () => (await import('./screens/webhooks/Webhooks.tsx')).Webhooks),
  faults: loadLater(async () => (await import('./screens/faults/Faults.tsx')).Faults),
  reference: loadLater(async () => (await import('./screens/reference/Reference.tsx')).Reference),
  settings: loadLater(async () => (await import('./screens/settings/Settings.tsx')).Settings),
  record: loadLater(async () => (await import('./screens/record/RecordPage.tsx')).RecordPage),
} as const satisfies Readonly<Record<Screen, { component: ComponentType; load: () => Promise<unknown> }>>

/** With the menus of the first screen. */
export const loadAllScreens = () => Promise.all([loadLate(), ...Object.values(screens).map(({ load }) => load())])

/** Loads the other screens, and `more`, while the browser is idle. */
export function preloadScreens(...more: readonly (() => Promise<unknown>)[]) {
  const whenIdle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 500))
  whenIdle(() => {
    for (const load of more) void load().catch(() => {})
    void loadAllScreens().catch(() => {})
  })
}
