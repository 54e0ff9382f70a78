import { BookText, CircleHelp, Copy, FileText, List, Play } from 'lucide-react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import type { LegalMove } from '../../../api/contract/control/records.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { errors } from '../../../api/contract/errors.ts'
import { rulesBySection } from '../../../api/contract/rules.ts'
import { navigateWithFocus } from '../../components/focus.ts'
import { collections, isCollection } from '../../data/collections.ts'
import { exchangeFilter } from '../../data/exchange-filter.ts'
import type { Route } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { formatAmount, formatCount } from '../../format/numbers.ts'
import { escapeControls } from '../../format/text.ts'
import { copyText } from '../../ui/copy.ts'
import { screenIcons } from '../screen-icons.ts'
import { openExplanation } from '../shortcuts.ts'
import { runCommand } from './action-commands.ts'
import type { Command } from './command.ts'
import { findMarks, matchText } from './match.ts'

export type FoundRecord = MethodOutput<'records.search'>['records'][number]

export function recordCommands(records: readonly FoundRecord[], text: string): Command[] {
  return records.flatMap((record): Command[] => {
    const { collection, uid, program_uid, says, field, value, status, amount } = record
    if (!isCollection(collection)) return []
    const title = escapeControls(says)
    const inTitle = says.toLowerCase().includes(text.toLowerCase())
    const facts = [
      collections[collection].one,
      ...(status === null ? [] : [status]),
      ...(amount === null ? [] : [formatAmount(amount)]),
      ...(inTitle || field.endsWith('amount') || field.endsWith('balance')
        ? []
        : [escapeControls(`${field} ${value}`)]),
    ]
    return [
      {
        id: `record ${collection} ${uid}`,
        icon: screenIcons[collections[collection].home],
        title,
        marks: findMarks(text.toLowerCase(), title),
        detail: facts.join(', '),
        fill: uid,
        run: () => void navigateWithFocus({ collection, record: uid, params: { program: [program_uid] } }) as undefined,
      },
    ]
  })
}

const MAX_RULES = 5

export function ruleCommands(text: string, exchanges: readonly Exchange[]): Command[] {
  const exact = exchanges.find(({ uid, trace_id }) => uid === text || trace_id === text)
  const fits = exchanges.filter(exchangeFilter({ q: [text] })).length
  const search: Command = {
    id: 'search requests',
    icon: List,
    title: `Search requests for “${escapeControls(text)}”`,
    marks: findMarks(text.toLowerCase(), `Search requests for “${escapeControls(text)}”`).slice(-1),
    detail: `${formatCount(fits)} of ${formatCount(exchanges.length)}`,
    keys: ['/'],
    run: () => void navigateWithFocus({ screen: 'requests', params: { q: [text] } }) as undefined,
  }
  const known = findBest(text, referenceCommands)
  return [
    ...(exact
      ? [
          {
            id: `request ${exact.uid}`,
            icon: List,
            title: `${exact.method} ${exact.path}`,
            detail: `request ${exact.uid}, ${exact.status}, ${exact.did}`,
            run: () => void navigateWithFocus({ screen: 'requests', record: exact.uid }) as undefined,
          },
        ]
      : []),
    // A search that would find nothing is the last resort.
    ...(fits > 0 ? [search, ...known] : [...known, search]),
  ]
}

/** Error codes, rules by their section, endpoints: each leads into the reference. */
const referenceCommands: readonly Command[] = [
  ...Object.values(errors).map(
    ({ code, title, detail, status }): Command => ({
      id: `error ${code}`,
      icon: BookText,
      title: `${code} ${title}`,
      also: `${detail} error ${status}`,
      detail: `${status}, ${detail}`,
      run: () =>
        void navigateWithFocus({
          screen: 'reference',
          record: 'errors',
          params: { code: [String(code)] },
        }) as undefined,
    }),
  ),
  ...rulesBySection.map(
    ({ rule, section }): Command => ({
      id: `rule ${rule}`,
      icon: FileText,
      title: `Specification ${section}: ${rule}`,
      also: 'rule section',
      run: () =>
        void navigateWithFocus({ screen: 'reference', record: 'rules', params: { section: [section] } }) as undefined,
    }),
  ),
  ...Object.entries(endpoints).map(
    ([name, { method, path, summary }]): Command => ({
      id: `endpoint ${name}`,
      icon: BookText,
      title: `${method} ${path}`,
      also: `${summary} ${name} endpoint`,
      detail: summary,
      run: () => void navigateWithFocus({ screen: 'reference', record: name }) as undefined,
    }),
  ),
]

function findBest(text: string, all: readonly Command[]): Command[] {
  return rankCommands(text, all).slice(0, MAX_RULES)
}

/** Those that fit, the best first, with what fits marked. */
export function rankCommands(text: string, all: readonly Command[]): Command[] {
  return all
    .flatMap((command) => {
      const fits = matchText(text, command.title, command.also)
      return fits ? [{ rank: fits.rank, command: { ...command, marks: fits.marks } }] : []
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => command)
}

/** What can be done with the record that stands open. */
export function openRecordCommands(
  { collection, record, screen }: Pick<Route, 'collection' | 'record' | 'screen'>,
  moves: readonly LegalMove[],
): Command[] {
  if (record === null) return []
  const about: Command[] = [
    {
      id: 'why',
      icon: CircleHelp,
      title: 'Why is it so?',
      also: 'cause reason explain',
      keys: ['w'],
      run: () => ({ afterwards: openExplanation }),
    },
    {
      id: 'copy uid',
      icon: Copy,
      title: screen === 'requests' ? 'Copy the request’s uid' : 'Copy the uid',
      detail: record,
      run: async () => ({ said: (await copyText(record)) ? 'uid copied' : 'the uid could not be copied' }),
    },
  ]
  if (screen !== 'record' || collection === null) return about.slice(1)
  const made = moves.filter(({ legal }) => legal).flatMap((move) => decisionCommands(collection, record, move))
  return [...made, ...about]
}

/** A move that asks for nothing is made at once, and one that asks for one of a few values is one command for each. */
function decisionCommands(collection: string, uid: string, { move, to, inputs }: LegalMove): Command[] {
  const needed = inputs.filter(({ required }) => required)
  const make = (given: Readonly<Record<string, string>>, says: string): Command => ({
    id: `move ${says}`,
    icon: Play,
    title: says,
    also: 'move make',
    detail: `→ ${to}`,
    preview: { says: `The move ${says} would be made: the record comes to ${to}. No task runs by it.`, tasks: [] },
    run: () =>
      runCommand(sandbox['moves.make']({ collection, uid, move, inputs: { ...given } }), (after) =>
        typeof after.status === 'string' ? `${move}: the status is ${after.status}` : `${move}: done`,
      ),
  })
  if (needed.length === 0) return [make({}, move)]
  const [one, another] = needed
  if (one?.values && !another && one.values.length <= MAX_VALUES)
    return one.values.map((value) => make({ [one.name]: value }, `${move}: ${value}`))
  return [
    {
      id: `move ${move}`,
      icon: Play,
      title: `${move}…`,
      also: 'move make',
      detail: `asks for ${needed.map(({ name }) => name).join(', ')}: made on the page`,
      run: () => ({ afterwards: () => clickDecision(move) }),
    },
  ]
}
const MAX_VALUES = 8

/** The button of the record's own page, where what the move asks for is filled in. */
function clickDecision(move: string) {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('main button')]
  buttons.find((button) => button.textContent?.trim().replace(/…$/, '') === move)?.click()
}
