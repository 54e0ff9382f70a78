import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
// @ts-expect-error: the scripts are plain JavaScript, so that they run without a build.
import { npmCommand } from '../../scripts/npm-command.mjs'

/** The tools, at exact versions that run on Node 20. They are never dependencies of Sandbank: npm fetches them into a folder. */

export const versions = {
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
  orval: '8.38.0',
  typescript: '5.9.3',
  'openapi-to-postmanv2': '6.3.3',
  newman: '6.2.2',
  '@stoplight/prism-cli': '5.16.0',
  'swagger-typescript-api': '13.13.0',
  oazapfts: '7.5.0',
  '@oazapfts/runtime': '1.2.0',
  'openapi-zod-client': '1.18.3',
  '@zodios/core': '10.9.6',
  axios: '1.7.9',
  zod: '3.25.76',
  'openapi-typescript-codegen': '0.31.0',
  '@kubb/cli': '4.39.3',
  '@kubb/core': '4.39.3',
  '@kubb/plugin-oas': '4.39.3',
  '@kubb/plugin-ts': '4.39.3',
  '@kubb/plugin-client': '4.39.3',
} as const
export type Tool = keyof typeof versions

/** No tool may send anything but to the sandbox. */
const env = { ...process.env, NODE_NO_WARNINGS: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

function start(command: string, args: readonly string[], folder: string, shell = false) {
  const child = spawn(command, args, { cwd: folder, env, shell, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (part) => (stdout += part))
  child.stderr.on('data', (part) => (stderr += part))
  const ended = new Promise<Result>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      children.delete(child)
      resolve({ code, stdout, stderr })
    })
  })
  return { child, ended }
}

export class Tools {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Without install scripts. npm warns that some want a newer Node; they run on Node 20. */
  static async install(folder: string): Promise<Tools> {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: versions }))
    const npm = npmCommand(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
    const { code, stdout, stderr } = await start(npm.command, npm.args, folder, npm.shell).ended
    if (code !== 0)
      throw new Error(`npm could not fetch the tools (network, or a version is gone):\n${stdout}${stderr}`)
    return new Tools(folder)
  }

  /** Runs the command of a package in a folder, and returns its output. */
  async run(
    tool: Tool,
    args: readonly string[],
    folder: string,
    expectedCodes: readonly number[] = [0],
  ): Promise<string> {
    const { code, stdout, stderr } = await this.#start(tool, args, folder).ended
    if (code === null || !expectedCodes.includes(code))
      throw new Error(`${tool} ended with ${code}; ${expectedCodes.join(' or ')} is expected:\n${stdout}${stderr}`)
    return stdout
  }

  /** Starts the command of a package, which runs until it is stopped. Resolves when it has printed the text. */
  async serve(tool: Tool, args: readonly string[], folder: string, sign: string): Promise<{ stop(): Promise<void> }> {
    const { child, ended } = this.#start(tool, args, folder)
    const stop = async () => {
      child.kill()
      await ended
    }
    await new Promise<void>((resolve, reject) => {
      let printed = ''
      child.stdout.on('data', (part) => {
        printed += part
        if (printed.includes(sign)) resolve()
      })
      void ended.then(({ code, stdout, stderr }) =>
        reject(new Error(`${tool} ended with ${code}:\n${stdout}${stderr}`)),
      )
    })
    return { stop }
  }

  #start(tool: Tool, args: readonly string[], folder: string) {
    return start(process.execPath, [this.#commandOf(tool), ...args], folder)
  }

  /** The first command of the package. */
  #commandOf(tool: Tool): string {
    const folder = join(this.#folder, 'node_modules', tool)
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> }
    return join(folder, Object.values(bin)[0]!)
  }
}
