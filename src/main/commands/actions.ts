import { resolve } from 'node:path'
import type { MethodName, MethodOutput } from '../../api/contract/control/methods.ts'
import { findProgram } from './call.ts'
import { type Action, type Command, type Input, isList, OptionError, type Run } from './command.ts'
import { dryRun, formatChanges, isDryRun } from './dry-run.ts'
import { exchangeControl, findSandbox, type RunningSandbox } from './running.ts'
import { printUndo } from './undo-line.ts'

/** Runs the actions of commands such as `sandbank world create NAME`: the table says what each sends, a report how its answer is printed. */

type Actions = Readonly<Record<string, Action>>

export interface Report<M extends MethodName> {
  /** Reads what the answer of the method leaves open, such as the outcome of something that it started. */
  complete?(answer: MethodOutput<M>, sandbox: RunningSandbox): Promise<MethodOutput<M>>
  /** What a person reads of the answer. */
  format(answer: MethodOutput<M>, context: ReportContext): string | Promise<string>
  /** Lines for stderr. */
  remarks?(answer: MethodOutput<M>): readonly string[]
  /** Exit code 1. */
  hasFailed?(answer: MethodOutput<M>): boolean
}

export interface ReportContext {
  readonly words: readonly string[]
  readonly sandbox: RunningSandbox
}

type Reports<A extends Actions> = {
  readonly [N in keyof A]: Report<A[N]['method']> | Report<A[N]['method']>['format']
}

export const runActions =
  <A extends Actions>(command: Command & { readonly actions: A }, reports: Reports<A>): Run =>
  async (input, terminal) => {
    const { action, words, values } = input
    const { method, isChange } = (command.actions as Actions)[action]!
    const given = reports[action]!
    const report = (typeof given === 'function' ? { format: given } : given) as Report<MethodName>
    const parameters = toParameters(command, input)
    if (isChange && Object.keys(parameters).length === 1)
      throw new OptionError(`${method.replace('.', ' ')}: a URL, or an option such as --topic, is expected`)
    const isDry = await isDryRun(input)
    const sandbox = await findSandbox(input, terminal)
    const { program_uid } = parameters
    if (program_uid !== undefined)
      Object.assign(parameters, { program_uid: (await findProgram(sandbox, String(program_uid))).uid })
    if (isDry) {
      const { output, ...tried } = await dryRun(sandbox, input, method, parameters)
      const text = async () =>
        `${await report.format(output as MethodOutput<MethodName>, { words, sandbox })}\n\n${formatChanges(tried.changes)}`
      terminal.print(values.json ? JSON.stringify(tried) : await text())
      return 0
    }
    const { text, operation } = await exchangeControl(sandbox, method, JSON.stringify(parameters))
    const first = JSON.parse(text) as MethodOutput<MethodName>
    const answer = report.complete ? await report.complete(first, sandbox) : first
    terminal.print(values.json ? JSON.stringify(answer) : await report.format(answer, { words, sandbox }))
    for (const line of report.remarks?.(answer) ?? []) terminal.printError(line)
    printUndo(operation, input, terminal)
    return report.hasFailed?.(answer) ? 1 : 0
  }

/** The words and options as parameters of the control method. A switch such as --no-wait is false. */
export function toParameters({ options, actions = {} }: Command, { action, words, values }: Input) {
  const { words: named = {}, input } = actions[action] ?? {}
  const fromWords = Object.entries(named)
    .map(([parameter, word], at) => [parameter, isList(word) ? words.slice(at).join(' ') : words[at], word] as const)
    .filter(([, text]) => text !== undefined)
    .map(([parameter, text = '', word]) => [parameter, word === 'FOLDER' ? resolve(text) : text] as const)
  const fromOptions = Object.entries(options)
    .filter(([name, { parameter }]) => parameter !== undefined && values[name] !== undefined)
    .map(([name, { parameter }]) => [parameter!, name.startsWith('no-') ? false : values[name]] as const)
  return { ...input, ...Object.fromEntries<unknown>([...fromWords, ...fromOptions]) } as Record<string, unknown>
}
