import type { Steps } from '../../store/steps.ts'
import { splitCmdInSteps } from './cmd-shell.ts'
import { splitPosixInSteps } from './posix-shell.ts'
import type { Command } from './shell-words.ts'

/** Splits text into commands and words as a shell would: a POSIX shell with the extensions of bash, or cmd of Windows. */
export const splitCommands = (text: string): Steps<Command[]> =>
  isForCmd(text) ? splitCmdInSteps(text) : splitPosixInSteps(text)

/** A caret before a quote or at the end of a line, or JSON with doubled quotes. */
export const isForCmd = (text: string): boolean =>
  /^[ \t>]{0,100}(?:[^\s'"]{0,1000}[\\/>])?curl(?:\.exe)?[ \t](?:[^\n']*\^\r?\n|[^\n']*\^")/im.test(text) ||
  (!text.includes("'") && /\{""|""[:,}\]]/.test(text))
