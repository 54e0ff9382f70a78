import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { checkOpenFolder } from '../api/files.ts'
import type { Sandbox } from '../api/sandbox.ts'
import type { AppWindow } from './app-window.ts'
import type { LogFile } from './log-file.ts'
import { createZip, type ZipEntry } from './zip.ts'

/**
 * *Save a Report*: one file to attach to an issue. Every text in it is searched for secrets, and masked as a bundle; the home folder is
 * `~`. A part that cannot be read or masked has the reason instead.
 */

interface ReportParts {
  readonly sandbox: Pick<Sandbox, 'data' | 'call' | 'mask'>
  readonly log: LogFile
  /** Versions and settings. */
  readonly about: object
  /** PNG files, as `takePictures` returns them. */
  readonly pictures: readonly (Uint8Array | string)[]
}

export async function createReport({ sandbox, log, about, pictures }: ReportParts): Promise<Buffer> {
  const logs = log.read()
  const names = ['about.json', 'check.txt', ...logs.map(({ name }) => name)]
  const texts = await sandbox
    .mask({ about, check: await checkWorld(sandbox), logs: logs.map(({ text }) => text.split('\n')) })
    .then(formatTexts, (error: unknown) => names.map(() => `It is left out, as it could not be masked: ${error}\n`))
  const entries: ZipEntry[] = names.map((name, at) => ({ name, content: hideHome(log.redact(texts[at]!), homedir()) }))
  for (const [at, content] of pictures.entries())
    entries.push({ name: `window-${at + 1}.${typeof content === 'string' ? 'txt' : 'png'}`, content })
  return createZip(entries)
}

interface Texts {
  readonly about: object
  readonly check: { readonly files: readonly string[]; readonly books: unknown }
  readonly logs: readonly (readonly string[])[]
}

const formatTexts = ({ about, check: { files, books }, logs }: Texts): string[] => [
  `${JSON.stringify(about, null, 2)}\n`,
  `${files.join('\n')}\nBooks: ${typeof books === 'string' ? books : JSON.stringify(books)}\n`,
  ...logs.map((lines) => lines.join('\n')),
]

/** A text says why there is none. */
export const takePictures = (windows: readonly Pick<AppWindow, 'contents'>[]): Promise<(Uint8Array | string)[]> =>
  Promise.all(
    windows.map(async ({ contents }) => {
      try {
        const picture = await Promise.race([contents.capturePage(), setTimeout(PICTURE_WITHIN_MS)])
        return !picture || picture.isEmpty() ? 'The window draws nothing.' : picture.toPNG()
      } catch (error) {
        return `The window has no picture: ${String(error)}`
      }
    }),
  )

const PICTURE_WITHIN_MS = 5_000

async function checkWorld({ data, call }: ReportParts['sandbox']): Promise<Texts['check']> {
  const files =
    data === null
      ? ['The world is in memory only.']
      : await checkFiles(data).catch((error: unknown) => [`${data} was not checked: ${String(error)}`])
  const books = await call('ledger.check', {}).then(
    (reply) => (reply.ok ? reply.value : reply.error),
    (error: unknown) => `not checked: ${String(error)}`,
  )
  return { files, books }
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
