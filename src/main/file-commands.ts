import { describeCuts, type Keepable, leftByMask } from '../api/contract/control/bundles.ts'
import type { ReplayedExchange } from '../api/contract/control/replay.ts'
import { checkFolder, exportFolder, importFile, type ReplayedFile, repairDataFolder, replayFile } from '../api/files.ts'
import type { Run } from './commands/command.ts'
import { formatChanges, readDryRun } from './commands/dry-run.ts'
import { formatCount } from './commands/format.ts'
import { printUndo } from './commands/undo-line.ts'

/** `sandbank replay`, `export`, `import`, `check` and `repair`. Each returns the exit code. */

export const replay: Run = async (input, terminal) => {
  const { version, env, print, printError } = terminal
  const {
    values,
    words: [file = ''],
  } = input
  const { data, url, json } = values as { data?: string; url?: string; json?: boolean }
  const replayed = await replayFile(
    file,
    { data, url, control_key: env.SANDBANK_CONTROL_KEY || undefined, dryRun: await readDryRun(input) },
    { version, report: printError },
  )
  for (const { at, why } of replayed.unusable) printError(`${at} was skipped: ${why}`)
  for (const { name, refused } of replayed.acts)
    if (refused !== null) printError(`the recorded ${name} could not be repeated: ${refused}`)
  const { same, differs, refused, unrecorded, exchanges, changes } = replayed
  const answer = { same, differs, refused, unrecorded, exchanges, ...(changes && { changes }) }
  print(json ? JSON.stringify(answer) : formatReplay(replayed))
  if (changes && !json) print(`\n${formatChanges(changes)}`)
  printUndo(replayed.operation, input, terminal)
  return differs + refused > 0 || replayed.acts.some((act) => act.refused !== null) ? 1 : 0
}

export const exportBundle: Run = async ({ values, words: [data = ''] }, { version, print, printError }) => {
  const { out = '', keep = [] } = values as { out?: string; keep?: Keepable[] }
  const { exchanges, acts, commits, cut } = await exportFolder(data, out, { version, report: printError, keep })
  const not_masked = leftByMask(keep)
  if (values.json) {
    print(JSON.stringify({ file: out, exchanges, acts, commits, cut, not_masked }))
    return 0
  }
  const counts = [
    formatCount(exchanges, 'request'),
    formatCount(acts, 'operator action'),
    formatCount(commits, 'commit'),
  ]
  print(`${out}: ${counts.join(', ')}. Personal data is masked, and keys are left out.`)
  if (cut > 0) print(describeCuts(cut))
  print(`Not masked: ${not_masked.join('; ')}.`)
  return 0
}

export const importBundle: Run = async ({ values, words: [file = ''] }, { print }) => {
  const { data = '' } = values as { data?: string }
  const { since, exchanges, acts } = await importFile(file, data)
  const text = `${data}: ${formatCount(exchanges, 'request')} and ${formatCount(acts, 'operator action')}, recorded since commit ${since}. Its clock is frozen: sandbank serve --data ${data}`
  print(values.json ? JSON.stringify({ data, since, exchanges, acts }) : text)
  return 0
}

export const check: Run = async ({ values, words: [data = ''] }, { print, printError }) => {
  const { files, problems: damages, ledger } = await checkFolder(data)
  const isGood = damages.length === 0 && ledger?.balanced === true
  if (values.json) {
    print(JSON.stringify({ ok: isGood, files, damages, ledger }))
    return isGood ? 0 : 1
  }
  for (const damage of damages) printError(damage)
  if (!ledger) {
    print(`${data}: ${damages.length} of ${files} files are damaged. The books were not checked.`)
    return 1
  }
  const { balanced, checked, problems } = ledger
  const counts = Object.entries(checked).map(([what, n]) => `${what.replaceAll('_', ' ')} ${n}`)
  for (const problem of problems) printError(problem)
  const whole =
    damages.length === 0
      ? `all ${formatCount(files, 'file')} are whole`
      : `${damages.length} of ${files} files are damaged`
  print(`${data}: ${whole}, the books ${balanced ? 'balance' : 'do not balance'}. Checked: ${counts.join(', ')}.`)
  return isGood ? 0 : 1
}

export const repair: Run = async ({ values, words: [data = ''] }, { print, printError }) => {
  const repaired = await repairDataFolder(data, printError)
  if (values.json) {
    print(JSON.stringify({ repaired }))
    return 0
  }
  if (!repaired) {
    print(`${data}: no file is damaged; nothing was changed.`)
    return 0
  }
  const { seq, moved_to, left_out } = repaired
  for (const line of left_out) print(`Left out: ${line}`)
  print(`${data}: repaired; its newest commit is ${seq}. The files as they were are in ${moved_to}.`)
  return 0
}

const MARKS: Record<ReplayedExchange['verdict'], string> = { same: '✓', differs: '✗', refused: '✗', unrecorded: '·' }

function formatReplay({ same, differs, refused, unrecorded, exchanges }: ReplayedFile): string {
  const lines = exchanges.flatMap(({ verdict, method, path, recorded, replayed, differences }) => [
    `${MARKS[verdict]} ${verdict.padEnd(10)} ${method} ${path}  ${recorded && recorded.status !== replayed.status ? `${recorded.status} → ` : ''}${replayed.status || 'dropped'}`,
    ...differences.flatMap(({ at, recorded: before, replayed: after }) => [
      `    ${at}`,
      `      recorded  ${shorten(before)}`,
      `      replayed  ${shorten(after)}`,
    ]),
  ])
  const counts = `${same} same, ${differs} differ, ${refused} refused, ${unrecorded} without a recorded response`
  return [...lines, counts].join('\n')
}

const MAX_LENGTH = 200
function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
