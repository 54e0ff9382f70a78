import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { checkOpenFolder } from '../api/files.ts'
import type { Sandbox } from '../api/sandbox.ts'
import type { LogFile } from './log-file.ts'
import { createZip, type ZipEntry } from './zip.ts'

/**
 * *Save a Report*: one file to attach to an issue. Every text in it is searched for secrets, and the home folder is
 * `~`. A part that cannot be read has the reason instead.
 */

interface ReportParts {
  /** undefined while another world is being opened. */
  readonly sandbox: Sandbox | undefined
  readonly log: LogFile
  /** Versions and settings. */
  readonly about: object
  /** PNG files; a text says why there is none. */
  readonly pictures: readonly (Uint8Array | string)[]
}

export async function createReport({ sandbox, log, about, pictures }: ReportParts): Promise<Buffer> {
  const entries: ZipEntry[] = [
    { name: 'about.json', content: `${JSON.stringify(about, null, 2)}\n` },
    { name: 'check.txt', content: `${(await checkWorld(sandbox)).join('\n')}\n` },
    ...log.read().map(({ name, text }) => ({ name, content: text })),
    ...pictures.map((content, at) => ({
      name: `window-${at + 1}.${typeof content === 'string' ? 'txt' : 'png'}`,
      content,
    })),
  ]
  const mask = (text: string) => hideHome(log.redact(text), homedir())
  return createZip(
    entries.map(({ name, content }) => ({ name, content: typeof content === 'string' ? mask(content) : content })),
  )
}

async function checkWorld(sandbox: Sandbox | undefined): Promise<readonly string[]> {
  if (!sandbox) return ['No world is open.']
  const { data } = sandbox
  const files =
    data === null
      ? ['The world is in memory only.']
      : await checkFiles(data).catch((error: unknown) => [`${data} was not checked: ${String(error)}`])
  const books = await sandbox.call('ledger.check', {}).then(
    (reply) => JSON.stringify(reply.ok ? reply.value : reply.error),
    (error: unknown) => `not checked: ${String(error)}`,
  )
  return [...files, `Books: ${books}`]
}

/** While the sandbox writes, the newest line may be read half; then a second look finds it whole. */
async function checkFiles(data: string): Promise<readonly string[]> {
  const first = await checkOpenFolder(data)
  const { files, problems } = first.problems.length === 0 ? first : await checkOpenFolder(data)
  return [`${data}: ${files} files, ${problems.length} of them damaged.`, ...problems]
}

/** Not in a longer name, such as that of another user. Addresses of files have / on Windows, too. */
export function hideHome(text: string, home: string): string {
  if (dirname(home) === home) return text
  const withSlashes = home.replaceAll('\\', '/')
  let hidden = text
  for (const spelling of new Set([home, withSlashes, encodeURI(withSlashes)]))
    hidden = hidden
      .split(spelling)
      .reduce((before, rest) => `${before}${/^[\p{L}\p{N}_-]|^\.\w/u.test(rest) ? spelling : '~'}${rest}`)
  return hidden
}
