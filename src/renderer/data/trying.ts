import { create } from 'zustand'
import type { MethodInput, MethodName } from '../../api/contract/control/methods.ts'

/** A call that changes the world: a button makes it, and "Try it" beside the button makes it in a copy of the world. */
export interface Call {
  readonly method: string
  readonly input: unknown
}

export const callOf = <N extends MethodName>(method: N, input: MethodInput<N>): Call => ({ method, input })

/** Calls that are tried, or a goal to which the steps are looked for. */
export interface Trial {
  readonly title: string
  readonly calls?: readonly Call[]
  readonly goal?: string
}

/** The last one stays while its dialog closes. */
export const useTrial = create<{ readonly open: boolean; readonly trial: Trial }>()(() => ({
  open: false,
  trial: { title: '' },
}))

export const showTrial = (trial: Trial) => useTrial.setState({ open: true, trial })
