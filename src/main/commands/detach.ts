import { spawn } from 'node:child_process'
import { CommandError, type Input, type Terminal } from './command.ts'
import { formatGreeting, type Listening } from './greeting.ts'

/** `sandbank serve --detach`: starts the server as a process of its own, and returns when it listens. */
export async function detach(input: Input, { host, env, version, print, printError }: Terminal): Promise<number> {
  const { command, args } = host.self ?? {}
  if (command === undefined || args === undefined) throw new CommandError('--detach: this host cannot start itself')
  const { SANDBANK_DETACH: _, ...others } = env
  const { program = others.SANDBANK_PROGRAM } = input.given
  const child = spawn(command, [...args, 'serve', ...toArguments(input)], {
    // The list of processes shows arguments, and it holds a key.
    env: { ...others, SANDBANK_PROGRAM: program as string | undefined },
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const line = await new Promise<string | number>((resolve, reject) => {
    let text = ''
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
  })
  if (stderr !== '') printError(stderr.trimEnd())
  if (typeof line === 'number') return line
  print(input.values.json ? line : formatGreeting(JSON.parse(line) as Listening, version, 'sandbank stop ends it.'))
  child.stdout.destroy()
  child.stderr.destroy()
  child.unref()
  return 0
}

/** The same options, also those of environment variables; the server prints its line of JSON. */
function toArguments({ given }: Input): string[] {
  const { detach: _detach, json: _json, program: _program, quiet: _quiet, ...others } = given
  const texts = Object.entries(others).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`]
    return [value ?? []].flat().map((one) => `--${name}=${String(one)}`)
  })
  return [...texts, '--json']
}
