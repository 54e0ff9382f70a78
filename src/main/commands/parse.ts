import { type ParseArgsConfig, parseArgs } from 'node:util'
import { closest } from './closest.ts'
import { type Command, type Input, type Option, OptionError, type Values } from './command.ts'

/** Reads the arguments of a command. An environment variable gives an option that the arguments leave out. */

export const variableOf = (name: string, { variable }: Pick<Option, 'variable'> = {}) =>
  variable ?? `SANDBANK_${name.toUpperCase().replaceAll('-', '_')}`

/** undefined if help was asked for. */
export function parseInput(
  name: string,
  command: Command,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Input | undefined {
  const { values, positionals } = parseStrictly(name, command, args)
  if (values.help) return undefined
  const { help: _, ...given } = values as Values
  const all = withVariables(command, given, env)
  for (const [one, { instead }] of Object.entries(command.options))
    if (instead !== undefined && all[one] !== undefined && all[instead] !== undefined)
      throw new OptionError(`--${instead}: one of --${one} and --${instead} is expected, not both`)
  return { values: all, positionals }
}

function parseStrictly(name: string, { options, positionals = [] }: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: toConfig(options),
      strict: true,
      allowPositionals: positionals.length > 0,
    })
  } catch (error) {
    const [line = ''] = (error as Error).message.split(/\. To specify|\n/)
    const unknown = /^Unknown option '--([^'=]+)/.exec(line)?.[1]
    const meant = unknown && closest(unknown, Object.keys(options))
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

/** A variable does not count if the arguments have the option, or the one that excludes it. */
function withVariables({ options }: Command, given: Values, env: NodeJS.ProcessEnv): Values {
  const added = Object.entries(options).flatMap(([name, option]) => {
    const text = env[variableOf(name, option)]
    const excludes = Object.keys(options).filter(
      (other) => option.instead === other || options[other]!.instead === name,
    )
    if (!text || [name, ...excludes].some((one) => given[one] !== undefined)) return []
    const value = readVariable(name, option, text)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(added), ...given }
}

function readVariable(name: string, option: Option, text: string): string | string[] | true | undefined {
  const { value, isList } = option
  if (isList) return text.split(/[\s,]+/).filter(Boolean)
  if (value !== undefined) return text
  if (/^(1|true|yes|on)$/i.test(text)) return true
  if (/^(0|false|no|off)$/i.test(text)) return undefined
  throw new OptionError(`${variableOf(name, option)} is ${text}: 1 or 0 is expected`)
}
