import type { DrawnSetting, Program } from '../../api/contract/resources/programs.ts'
import { type ProgramKey, toProgramKey } from '../library/sign-token.ts'
import { formatFields } from './format.ts'
import type { RunningSandbox } from './running.ts'

/** What `sandbank serve` prints when it listens, and `sandbank status` of a sandbox that runs. */

export interface Listening extends Pick<RunningSandbox, 'api' | 'gui' | 'control' | 'control_key'> {
  readonly programs: readonly (ProgramKey & Partial<Pick<Program, DrawnSetting | 'hard_mode' | 'drawn_settings'>>)[]
  readonly data: string | null
  readonly pid: number | null
}

/** Other programs read it, so its names must not change. */
export const toJson = ({ api, gui, control, control_key, programs, data, pid }: Listening) => ({
  api,
  gui,
  control,
  control_key,
  programs: programs.map(toProgramKey),
  data,
  pid,
})

export const formatListening = ({ api, gui, programs, data }: Listening, more: Readonly<Record<string, string>> = {}) =>
  formatFields({
    API: api,
    Window: gui ?? 'of the desktop app',
    Program: programs.flatMap((program) => [`${program.uid}  ${program.name}`, ...describeHardMode(program)]),
    Data: data ?? 'in memory only',
    ...more,
  })

const describeHardMode = ({ hard_mode, drawn_settings, ...program }: Listening['programs'][number]) =>
  hard_mode ? [`hard mode ${hard_mode}: ${drawn_settings?.map((name) => `${name} ${program[name]}`).join(', ')}`] : []

export const formatGreeting = (listening: Listening, version: string, how: string) => `Sandbank ${version}

${formatListening(listening)}

  Try      curl ${listening.api.replace('/api/v1', '/health')}
  The window shows how to sign in and call. ${how}`
