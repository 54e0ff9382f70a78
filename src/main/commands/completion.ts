import { type Command, OptionError, type Run } from './command.ts'
import { commands } from './table.ts'

/** `sandbank completion SHELL`: a script that completes commands, options and their values, from the table. */

const table: Readonly<Record<string, Command>> = commands

export const completion: Run = async ({ positionals: [shell, ...more] }, { print }) => {
  const scripts: Readonly<Record<string, () => string>> = { bash, zsh, fish }
  const script = shell !== undefined && more.length === 0 && Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (!script) throw new OptionError('completion: one of bash, zsh, fish is expected; see sandbank completion --help')
  print(script())
  return 0
}

const FOLDERS = ['DIR', 'FOLDER']

interface Completable {
  readonly command: string
  readonly flags: readonly string[]
  readonly name: string
  readonly text: string
  readonly value: string | undefined
  readonly choices: readonly string[]
}

/** Every option, and --help, of every command. */
const options = (): Completable[] =>
  Object.entries(table).flatMap(([command, { options: ofCommand }]) =>
    [...Object.entries(ofCommand), ['help', { short: 'h', text: 'the options', value: undefined }] as const].map(
      ([name, option]) => ({
        command,
        name,
        flags: [...(option.short ? [`-${option.short}`] : []), `--${name}`],
        text: option.text,
        value: option.value,
        choices: 'choices' in option ? (option.choices ?? []) : [],
      }),
    ),
  )

/** What can follow the command itself. */
const firstWords = ({ positionals: [first] = [] }: Command): readonly string[] =>
  first?.choices ?? (first?.name === 'COMMAND' ? Object.keys(table) : [])

const names = () => Object.keys(table).join(' ')
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function bash(): string {
  const values = options()
    .filter(({ value }) => value !== undefined)
    .map(({ command, flags, value = '', choices }) => {
      const kind = FOLDERS.includes(value) ? '-d' : choices.length > 0 ? `-W ${quote(choices.join(' '))}` : '-f'
      return `    ${flags.map((flag) => quote(`${command} ${flag}`)).join('|')}) COMPREPLY=($(compgen ${kind} -- "$current")); return ;;`
    })
  const perCommand = Object.entries(table).map(([command, row]) => {
    const flags = options().flatMap((one) => (one.command === command ? one.flags : []))
    return `    ${command}) flags=${quote(flags.join(' '))}; words=${quote(firstWords(row).join(' '))} ;;`
  })
  return `_sandbank() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  local flags="" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quote(`${names()} --help --version`)} -- "$current"))
    return
  fi
  case "$command $before" in
${values.join('\n')}
  esac
  case "$command" in
${perCommand.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")); return ;;
  esac
  if [ "$COMP_CWORD" -eq 2 ] && [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _sandbank sandbank`
}

function zsh(): string {
  const described = (name: string, text: string) =>
    quote(`${name.replaceAll(':', '\\:')}:${text.replaceAll(':', '\\:')}`)
  const values = options()
    .filter(({ value }) => value !== undefined)
    .map(({ command, flags, value = '', choices }) => {
      const how = FOLDERS.includes(value)
        ? '_files -/'
        : choices.length > 0
          ? `compadd -- ${choices.map(quote).join(' ')}`
          : '_files'
      return `    ${flags.map((flag) => quote(`${command} ${flag}`)).join('|')}) ${how}; return ;;`
    })
  const perCommand = Object.entries(table).map(([command, row]) => {
    const flags = options().flatMap((one) =>
      one.command === command ? one.flags.map((flag) => described(flag, one.text)) : [],
    )
    return `    ${command}) flags=(${flags.join(' ')}); words_of=(${firstWords(row).map(quote).join(' ')}) ;;`
  })
  return `#compdef sandbank
_sandbank() {
  local -a commands flags words_of
  if (( CURRENT == 2 )); then
    commands=(${Object.entries(table)
      .map(([name, { summary }]) => described(name, summary))
      .join(' ')})
    _describe command commands
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${values.join('\n')}
  esac
  case "$words[2]" in
${perCommand.join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe -o option flags
  elif (( CURRENT == 3 && \${#words_of} > 0 )); then
    compadd -- $words_of
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _sandbank ]]; then _sandbank "$@"; else compdef _sandbank sandbank; fi`
}

function fish(): string {
  const commandLines = Object.entries(table).map(
    ([name, { summary }]) => `complete -c sandbank -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
  )
  const optionLines = options().map(({ command, name, flags, text, value, choices }) => {
    const short = flags.length > 1 ? ` -s ${flags[0]!.slice(1)}` : ''
    const takes = value === undefined ? ' -f' : choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : ' -r'
    return `complete -c sandbank -n '__fish_seen_subcommand_from ${command}'${short} -l ${name}${takes} -d ${quote(text)}`
  })
  const wordLines = Object.entries(table)
    .filter(([, row]) => firstWords(row).length > 0)
    .map(
      ([command, row]) =>
        `complete -c sandbank -n '__fish_seen_subcommand_from ${command}' -f -a ${quote(firstWords(row).join(' '))}`,
    )
  return [...commandLines, ...optionLines, ...wordLines].join('\n')
}
