import type { CommandText } from '../../api/contract/describe/entries.ts'
import type { Command, Option } from './command.ts'
import { variableOf } from './parse.ts'

/** The texts of --help, from the table of commands. */

const WIDTH = 118

export function formatHelp(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(
    ([name, command]) => [`sandbank ${name}${shortUsage(command)}`, command.summary] as const,
  )
  const width = Math.max(...rows.map(([usage]) => usage.length))
  return `sandbank: the API of a payments platform on this machine, with a window that shows what happens

${rows.map(([usage, summary]) => `  ${usage.padEnd(width)}  ${summary}`).join('\n')}
  ${'sandbank <command> --help'.padEnd(width)}  the options
  sandbank --version`
}

function shortUsage({ options, words: given = [] }: Command): string {
  const required = Object.entries(options).filter(([, { required }]) => required)
  const words = [...given, ...required.map(([name, option]) => formatOption(name, option))]
  if (words.length === 0 && Object.keys(options).length > 0) words.push('[options]')
  return words.map((word) => ` ${word}`).join('')
}

export function formatCommandHelp(name: string, command: Command): string {
  const { options, about, notes } = command
  const rows = Object.entries(options).map(([one, option]) => [nameOf(one, option), option.text] as const)
  const width = Math.max(14, ...rows.map(([name]) => name.length))
  const parts = [
    formatUsage(name, command),
    about,
    rows.map(([option, text]) => `  ${option.padEnd(width)} ${text}`).join('\n'),
    notes,
    rows.length > 0 ? `Each option can be given as an environment variable, too: ${exampleOf(command)}.` : undefined,
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** The commands and their options for `describe`. */
export const describeCommands = (commands: Readonly<Record<string, Command>>): CommandText[] =>
  Object.entries(commands).map(([name, command]) => ({
    name,
    summary: command.summary,
    lines: [`${name}: ${command.summary}`, ...formatCommandHelp(name, command).split('\n')],
    options: Object.entries(command.options).map(([one, option]) => ({
      name: `--${one}`,
      summary: option.text,
      lines: [
        `sandbank ${name} ${formatOption(one, option)}: ${option.text}`,
        `As an environment variable: ${variableOf(one, option)}`,
      ],
    })),
  }))

const nameOf = (name: string, { short }: Option) => (short ? `-${short}, --${name}` : `--${name}`)

function exampleOf({ options }: Command): string {
  const [name, option] = Object.entries(options)[0]!
  const { value } = option
  return `${variableOf(name, option)}=${value ?? 1} for --${name}`
}

/** As `sandbank run SCENARIO... [--junit FILE] [--json]`, wrapped. */
export function formatUsage(name: string, { options, words: given = [] }: Command): string {
  const isSecond = (one: string) => Object.values(options).some(({ instead }) => instead === one)
  const words = [
    ...given,
    ...Object.entries(options).flatMap(([one, option]) => {
      if (isSecond(one)) return []
      const text = formatOption(one, option)
      if (option.required) return [text]
      const other = option.instead ? ` | ${formatOption(option.instead, options[option.instead]!)}` : ''
      return [`[${text}${other}]${option.isList ? '...' : ''}`]
    }),
  ]
  const start = `sandbank ${name}`
  const lines = [start]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length <= WIDTH) lines[lines.length - 1] = longer
    else lines.push(`${' '.repeat(start.length)} ${word}`)
  }
  return lines.join('\n')
}

const formatOption = (name: string, { value, choices }: Option) =>
  value === undefined ? `--${name}` : `--${name} ${choices?.join('|') ?? value}`
