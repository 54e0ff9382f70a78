import { homedir } from 'node:os'
import { checkOpenFolder } from '../api/files.ts'
import type { Sandbox } from '../api/sandbox.ts'
import type { LogFile } from './log-file.ts'
import { createZip, type ZipEntry } from './zip.ts'

/** *Save a Report*: one file to attach to an issue. Every text in it is searched for secrets, and the home folder is `~`. */

interface ReportParts {
  /** undefined while another world is being opened. */
  readonly sandbox: Sandbox | undefined
  readonly log: LogFile
  /** Versions and settings. */
  readonly about: object
  /** PNG files. */
  readonly pictures: readonly Uint8Array[]
}

export async function createReport({ sandbox, log, about, pictures }: ReportParts): Promise<Buffer> {
  const mask = (text: string) => log.redact(text).replaceAll(homedir(), '~')
  const texts: ZipEntry[] = [
    { name: 'about.json', content: `${JSON.stringify(about, null, 2)}\n` },
    { name: 'check.txt', content: `${(await checkWorld(sandbox)).join('\n')}\n` },
    ...log.read().map(({ name, text }) => ({ name, content: text })),
  ]
  return createZip([
    ...texts.map(({ name, content }) => ({ name, content: mask(String(content)) })),
    ...pictures.map((content, at) => ({ name: `window-${at + 1}.png`, content })),
  ])
}

async function checkWorld(sandbox: Sandbox | undefined): Promise<readonly string[]> {
  if (!sandbox) return ['No world is open.']
  const { data } = sandbox
  const files = data === null ? ['The world is in memory only.'] : await checkFiles(data)
  const reply = await sandbox.call('ledger.check', {})
  return [...files, `Books: ${JSON.stringify(reply.ok ? reply.value : reply.error)}`]
}

/** While the sandbox writes, the newest line may be read half; then a second look finds it whole. */
async function checkFiles(data: string): Promise<readonly string[]> {
  const first = await checkOpenFolder(data)
  const { files, problems } = first.problems.length === 0 ? first : await checkOpenFolder(data)
  return [`${data}: ${files} files, ${problems.length} of them damaged.`, ...problems]
}
