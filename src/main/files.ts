import type { ReplayedExchange } from '../api/contract/control.ts'
import { checkFolder, exportFolder, importFile, type ReplayedFile, replayFile } from '../api/files.ts'
import { BadOption, CHECK_HELP, EXPORT_HELP, fileOptions, IMPORT_HELP, REPLAY_HELP } from './options.ts'

/** `sandbank replay`, `export`, `import` and `check`. Each answers the exit code. */

interface Terminal {
  readonly version: string
  readonly control_key: string | undefined
  say(text: string): void
  complain(text: string): void
}
type Command = (args: readonly string[], terminal: Terminal) => Promise<0 | 1>

export const replay: Command = async (args, { version, control_key, say, complain }) => {
  const { file, data, url, json, help } = fileOptions('replay', args)
  if (help) return told(say, REPLAY_HELP)
  if (data !== undefined && url !== undefined)
    throw new BadOption('--url: one of --data and --url is expected, not both')
  const replayed = await replayFile(file, { data, url, control_key }, { version, report: complain })
  for (const { at, why } of replayed.unusable) complain(`${at} was left out: ${why}`)
  for (const { name, refused } of replayed.acts)
    if (refused !== null) complain(`${name} of the record could not be done again: ${refused}`)
  const { same, differs, refused, unrecorded, exchanges } = replayed
  say(json ? JSON.stringify({ same, differs, refused, unrecorded, exchanges }) : report(replayed))
  return differs + refused > 0 || replayed.acts.some((act) => act.refused !== null) ? 1 : 0
}

export const exportBundle: Command = async (args, { version, say, complain }) => {
  const { file: data, out, help } = fileOptions('export', args)
  if (help) return told(say, EXPORT_HELP)
  if (out === undefined) throw new BadOption('--out: the file to write is expected; see sandbank export --help')
  const { entries, commits } = await exportFolder(data, out, { version, report: complain })
  const acts = entries.filter((entry) => 'act' in entry).length
  say(
    `${out}: ${count(entries.length - acts, 'request')}, ${count(acts, 'act')} of the operator, ${count(commits.length, 'commit')}. Personal data is masked, and keys are left out.`,
  )
  return 0
}

export const importBundle: Command = async (args, { say }) => {
  const { file, data, help } = fileOptions('import', args)
  if (help) return told(say, IMPORT_HELP)
  if (data === undefined) throw new BadOption('--data: a new folder is expected; see sandbank import --help')
  const { since, exchanges, acts } = await importFile(file, data)
  say(
    `${data}: ${count(exchanges, 'request')} and ${count(acts, 'act')} of the operator, recorded since commit ${since}. Its clock stands still: sandbank serve --data ${data}`,
  )
  return 0
}

export const check: Command = async (args, { say, complain }) => {
  const { file: data, help } = fileOptions('check', args)
  if (help) return told(say, CHECK_HELP)
  const { balanced, checked, problems } = await checkFolder(data, complain)
  const looked = Object.entries(checked).map(([what, n]) => `${what.replaceAll('_', ' ')} ${n}`)
  for (const problem of problems) complain(problem)
  say(`${data}: the books ${balanced ? 'balance' : 'do not balance'}. Looked at: ${looked.join(', ')}.`)
  return balanced ? 0 : 1
}

function told(say: (text: string) => void, help: string): 0 {
  say(help)
  return 0
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`

const MARKS: Record<ReplayedExchange['verdict'], string> = { same: '✓', differs: '✗', refused: '✗', unrecorded: '·' }

function report({ same, differs, refused, unrecorded, exchanges }: ReplayedFile): string {
  const lines = exchanges.flatMap(({ verdict, method, path, recorded, replayed, differences }) => [
    `${MARKS[verdict]} ${verdict.padEnd(10)} ${method} ${path}  ${recorded && recorded.status !== replayed.status ? `${recorded.status} → ` : ''}${replayed.status || 'dropped'}`,
    ...differences.flatMap(({ at, recorded: before, replayed: after }) => [
      `    ${at}`,
      `      recorded  ${short(before)}`,
      `      replayed  ${short(after)}`,
    ]),
  ])
  const counts = `${same} same, ${differs} differ, ${refused} refused, ${unrecorded} without a recorded answer`
  return [...lines, counts].join('\n')
}

const LONGEST = 200
function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
