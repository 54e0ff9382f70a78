import type { Tx } from '../store/store.ts'
import type { TaskRecord } from '../store/world.ts'

/** What one kind of task does when it falls due. Its answer, if any, tells in a few words what came of it. */
export type Runner = (tx: Tx, task: TaskRecord) => string | void

/**
 * Door 2, time: one line per kind of task. The first kinds come with onboarding (KYC decisions, the close of day);
 * creating and reading Customers makes nothing happen later.
 */
export const tasks: Readonly<Record<string, Runner>> = {}
