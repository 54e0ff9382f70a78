import { type Command, choicesOf, type Option, OptionError, type Run } from './command.ts'
import { commands } from './table.ts'

/** `sandbank completion SHELL`: a script that completes commands, options and their values, from the table, and asks for further words. */

export const completion: Run = async ({ words: [shell = '', line = ''] }, terminal) => {
  const { print } = terminal
  if (shell === 'words') {
    const { completeWords } = await import('./complete-words.ts')
    const [, name = ''] = line.trimStart().split(/\s+/)
    for (const word of ASKING.includes(name) ? await completeWords(line, terminal) : []) print(word)
    return 0
  }
  const scripts: Readonly<Record<string, () => string>> = { bash, zsh, fish }
  if (!Object.hasOwn(scripts, shell))
    throw new OptionError(`completion: one of bash, zsh, fish, words is expected; found ${shell}`)
  print(scripts[shell]!())
  return 0
}

const names = Object.keys(commands)
const HELP: Option = { short: 'h', text: 'the options' }

const rows = Object.entries(commands as Readonly<Record<string, Command>>).map(([name, { options, ...command }]) => ({
  name,
  summary: command.summary,
  options: Object.entries({ ...options, help: HELP }).map(([long, option]) => ({
    ...option,
    long,
    flags: [...(option.short ? [`-${option.short}`] : []), `--${long}`],
  })),
  /** What can follow the command itself. */
  words: command.words?.[0] === '[COMMAND]' ? names : choicesOf(command.words?.[0]),
}))
type Row = (typeof rows)[number]
type CompletedOption = Row['options'][number]

/** The commands whose words follow from the contract and the running world. */
const ASKING = ['call', 'control', 'describe', 'reach', 'trigger']

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const isFolder = ({ value = '' }: Option) => ['DIR', 'FOLDER'].includes(value)

/** Lines of a `case` on the command and the option before the cursor. */
const valueCases = (complete: (option: CompletedOption) => string) =>
  rows
    .flatMap(({ name, options }) =>
      options
        .filter(({ value }) => value !== undefined)
        .map((option) => {
          const patterns = option.flags.map((flag) => quote(`${name} ${flag}`)).join('|')
          return `    ${patterns}) ${complete(option)}; return ;;`
        }),
    )
    .join('\n')

/** Lines of a `case` on the command. */
const commandCases = (set: (row: Row) => string) => rows.map((row) => `    ${row.name}) ${set(row)} ;;`).join('\n')

function bash(): string {
  const kindOf = (option: CompletedOption) =>
    isFolder(option) ? '-d' : option.choices ? `-W ${quote(option.choices.join(' '))}` : '-f'
  const flagsOf = ({ options }: Row) => options.flatMap(({ flags }) => flags).join(' ')
  return `_sandbank_words() {
  # Bash breaks words at = and :, so each candidate loses what is before the last one.
  local line="\${COMP_LINE:0:COMP_POINT}" word=""
  local whole="\${line##* }"
  local cut="\${whole%"\${whole##*[=:]}"}"
  while IFS= read -r word; do COMPREPLY+=("\${word#"$cut"}"); done < <("\${COMP_WORDS[0]}" completion words -- "$line" 2>/dev/null)
  compopt +o filenames 2>/dev/null
  case "\${COMPREPLY[0]}" in *[=/]) compopt -o nospace 2>/dev/null ;; esac
}
_sandbank() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  local flags="" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quote(`${names.join(' ')} --help --version`)} -- "$current"))
    return
  fi
  case "$command $before" in
${valueCases((option) => `COMPREPLY=($(compgen ${kindOf(option)} -- "$current"))`)}
  esac
  case "$command" in
${commandCases((row) => `flags=${quote(flagsOf(row))}; words=${quote(row.words.join(' '))}`)}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")); return ;;
  esac
  case "$command" in
    ${ASKING.join('|')}) _sandbank_words; [ "\${#COMPREPLY[@]}" -gt 0 ] && return ;;
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
  const describe = (name: string, text: string) =>
    quote(`${name.replaceAll(':', '\\:')}:${text.replaceAll(':', '\\:')}`)
  const actionOf = (option: CompletedOption) =>
    isFolder(option) ? '_files -/' : option.choices ? `compadd -- ${option.choices.map(quote).join(' ')}` : '_files'
  const flagsOf = ({ options }: Row) =>
    options.flatMap(({ flags, text }) => flags.map((flag) => describe(flag, text))).join(' ')
  return `#compdef sandbank
_sandbank() {
  local -a commands flags words_of
  if (( CURRENT == 2 )); then
    commands=(${rows.map(({ name, summary }) => describe(name, summary)).join(' ')})
    _describe command commands
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${valueCases(actionOf)}
  esac
  case "$words[2]" in
${commandCases((row) => `flags=(${flagsOf(row)}); words_of=(${row.words.map(quote).join(' ')})`)}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe -o option flags
  elif [[ ${quote(` ${ASKING.join(' ')} `)} == *" $words[2] "* ]]; then
    local -a found
    found=(\${(f)"$($words[1] completion words -- "\${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)"})
    compadd -S '' -- \${(M)found:#*[=/]}
    compadd -- \${found:#*[=/]}
  elif (( CURRENT == 3 && \${#words_of} > 0 )); then
    compadd -- $words_of
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _sandbank ]]; then _sandbank "$@"; else compdef _sandbank sandbank; fi`
}

function fish(): string {
  const seen = (name: string) => `complete -c sandbank -n '__fish_seen_subcommand_from ${name}'`
  const completeValue = ({ value, choices }: CompletedOption) =>
    value === undefined ? ' -f' : choices ? ` -x -a ${quote(choices.join(' '))}` : ' -r'
  return [
    ...rows.map(
      ({ name, summary }) => `complete -c sandbank -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
    ),
    ...rows.flatMap(({ name, options }) =>
      options.map((option) => {
        const short = option.short ? ` -s ${option.short}` : ''
        return `${seen(name)}${short} -l ${option.long}${completeValue(option)} -d ${quote(option.text)}`
      }),
    ),
    `${seen(ASKING.join(' '))} -f -a '(sandbank completion words -- (commandline -cp) 2>/dev/null)'`,
    ...rows
      .filter(({ words }) => words.length > 0)
      .map(({ name, words }) => `${seen(name)} -f -a ${quote(words.join(' '))}`),
  ].join('\n')
}
