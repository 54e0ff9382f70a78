import { vi } from 'vitest'

/** Repeats the check until it does not throw. Vitest would wait one second, which is too short on a busy machine. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000 })
