import { type ParseArgsConfig, parseArgs } from 'node:util'
import { findNearest } from '../../api/contract/terms/nearest.ts'
import { type Command, type Given, type Input, isList, isOptional, type Option, OptionError } from './command.ts'
import { refuse } from './option-values.ts'

/** Reads and checks the arguments of a command. An environment variable gives an option that the arguments leave out. */

export const variableOf = (name: string, { variable }: Pick<Option, 'variable'> = {}) =>
  variable ?? `SANDBANK_${name.toUpperCase().replaceAll('-', '_')}`

export function parseInput(name: string, command: Command, args: readonly string[], env: NodeJS.ProcessEnv): Input {
  const { values, positionals } = parseStrictly(name, command, args)
  const { help, ...written } = values as Given
  if (help) return { values: {}, given: written, action: '', words: positionals, asksForHelp: true }
  const { action, words } = readWords(name, command, positionals)
  const options = optionsOf(name, command, action, written)
  const given = withVariables(options, written, env)
  for (const [one, { instead, required, text }] of Object.entries(options)) {
    if (required && given[one] === undefined)
      throw new OptionError(`--${one}: ${text} is expected; see sandbank ${name} --help`)
    if (instead !== undefined && given[one] !== undefined && given[instead] !== undefined)
      throw new OptionError(`--${instead}: one of --${one} and --${instead} is expected, not both`)
  }
  const read = Object.entries(options)
    .map(([one, option]) => [one, readValue(one, option, given[one] ?? option.fallback)] as const)
    .filter(([, value]) => value !== undefined)
  return { values: Object.fromEntries(read), given, action, words }
}

function parseStrictly(name: string, { options, words }: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: toConfig(options),
      strict: true,
      allowPositionals: words !== undefined,
    })
  } catch (error) {
    const [line = ''] = (error as Error).message.split(/\. To specify|\n/)
    const unknown = /^Unknown option '--([^'=]+)/.exec(line)?.[1]
    const meant = unknown && findNearest(unknown, Object.keys(options))
    throw new OptionError(
      meant ? `${line}: did you mean --${meant}? See sandbank ${name} --help` : `${line}; see sandbank ${name} --help`,
    )
  }
}

const toConfig = (options: Command['options']): NonNullable<ParseArgsConfig['options']> => ({
  ...Object.fromEntries(
    Object.entries(options).map(([name, { value, isList = false, short }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple: isList, ...(short && { short }) } as const,
    ]),
  ),
  help: { type: 'boolean', short: 'h' },
})

/** The action, if the command has some, and the words after it. */
function readWords(name: string, { words = [], actions }: Command, given: readonly string[]) {
  if (!actions) return { action: '', words: requireWords(name, words, given) }
  const [action = '', ...rest] = given
  if (Object.hasOwn(actions, action))
    return {
      action,
      words: requireWords(`${name} ${action}`.trim(), Object.values(actions[action]!.words ?? {}), rest),
    }
  const known = Object.keys(actions).filter(Boolean).join(', ')
  throw new OptionError(`${`${name} ${action}`.trim()}: one of ${known} is expected; see sandbank ${name} --help`)
}

function requireWords(name: string, expected: readonly string[], given: readonly string[]): readonly string[] {
  const least = expected.filter((word) => !isOptional(word)).length
  const most = expected.some(isList) ? Number.POSITIVE_INFINITY : expected.length
  if (given.length >= least && given.length <= most) return given
  throw new OptionError(
    `sandbank ${[name, ...expected].join(' ')} is expected; see sandbank ${name.replace(/ .*/, '')} --help`,
  )
}

/** The options of an action. */
function optionsOf(name: string, { options }: Command, action: string, written: Given): Command['options'] {
  const foreign = Object.keys(written).find((one) => options[one]!.of?.includes(action) === false)
  if (foreign !== undefined)
    throw new OptionError(
      `--${foreign}: ${options[foreign]!.of!.map((one) => `${name} ${one}`).join(' or ')} is expected with it`,
    )
  return Object.fromEntries(Object.entries(options).filter(([, { of }]) => of?.includes(action) !== false))
}

/** A variable does not count if the arguments have the option, or the one that excludes it. */
function withVariables(options: Command['options'], written: Given, env: NodeJS.ProcessEnv): Given {
  const added = Object.entries(options).flatMap(([name, option]) => {
    const text = env[variableOf(name, option)]
    const excludes = Object.keys(options).filter(
      (other) => option.instead === other || options[other]!.instead === name,
    )
    if (!text || [name, ...excludes].some((one) => written[one] !== undefined)) return []
    const value = readVariable(name, option, text)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(added), ...written }
}

function readVariable(name: string, option: Option, text: string): string | string[] | true | undefined {
  const { value, isList } = option
  if (isList) return text.split(/[\s,]+/).filter(Boolean)
  if (value !== undefined) return text
  if (/^(1|true|yes|on)$/i.test(text)) return true
  if (/^(0|false|no|off)$/i.test(text)) return undefined
  throw new OptionError(`${variableOf(name, option)} is ${text}: 1 or 0 is expected`)
}

function readValue(name: string, { value, choices, read }: Option, given: Given[string]): unknown {
  if (typeof given === 'boolean' || given === undefined) return given
  try {
    if (choices && !choices.includes(String(given))) refuse(`one of ${choices.join(', ')} is`, String(given))
    if (read) return read(given as never)
    if (given === '') refuse(`${value} is`, given)
    return given
  } catch (error) {
    throw error instanceof OptionError ? new OptionError(`--${name}: ${error.message}`) : error
  }
}
