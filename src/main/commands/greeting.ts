/** What `sandbank serve` prints when it listens. */

export interface Listening {
  readonly api: string
  readonly gui: string
  readonly control: string
  readonly control_key: string
  readonly programs: readonly { readonly uid: string; readonly name: string; readonly hmac_key: string }[]
  readonly data: string | null
  readonly pid: number
}

/** Other programs read this line, so its names must not change. */
export const formatJson = ({ api, gui, control, control_key, programs, data, pid }: Listening) =>
  JSON.stringify({
    ...{ api, gui, control, control_key },
    programs: programs.map(({ uid, name, hmac_key }) => ({ uid, name, hmac_key })),
    ...{ data, pid },
  })

export function formatGreeting({ api, gui, programs, data }: Listening, version: string, how: string): string {
  const [program] = programs
  return `Sandbank ${version}

  API      ${api}
  Window   ${gui}
  Program  ${program?.uid}  ${program?.name}
  Data     ${data ?? 'in memory only: --ephemeral'}

  Try      curl ${api.replace('/api/v1', '/health')}
  The window shows how to sign in and call. ${how}`
}
