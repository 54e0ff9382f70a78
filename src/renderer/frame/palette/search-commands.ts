import { BookText, CircleHelp, Copy, FileText, List, Play, Send } from 'lucide-react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import type { LegalMove } from '../../../api/contract/control/records.ts'
import type { RecordAction } from '../../../api/contract/control/requests.ts'
import type { ScenarioInfo } from '../../../api/contract/control/scenarios.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { errors } from '../../../api/contract/errors.ts'
import { rulesBySection } from '../../../api/contract/rules.ts'
import { call, opens } from '../../actions/action.ts'
import { requestActions } from '../../actions/window.ts'
import { branchAndCompare } from '../../actions/world.ts'
import { collections, isCollection } from '../../data/collections.ts'
import { exchangeFilter } from '../../data/exchange-filter.ts'
import { openRecordAction } from '../../data/record-action.ts'
import type { Route } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { screenList } from '../../data/screen-list.ts'
import { settingsSections } from '../../data/settings-sections.ts'
import { callOf } from '../../data/trying.ts'
import { escapeControls, formatAmount, formatCount } from '../../format/text.ts'
import { DECISIONS, injections, OUTSIDE } from '../../forms/injections.ts'
import { copyText } from '../../ui/Button.tsx'
import { openExplanation } from '../shortcuts.ts'
import { type Command, findMarks, matchText } from './command.ts'

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
        icon: screenList[collections[collection].home].icon,
        title,
        marks: findMarks(text.toLowerCase(), title),
        detail: facts.join(', '),
        fill: uid,
        run: opens({ collection, record: uid, params: { program: [program_uid] } }),
      },
    ]
  })
}

const MAX_RULES = 5

export function ruleCommands(text: string, exchanges: readonly Exchange[]): Command[] {
  const exact = exchanges.find(({ uid, trace_id }) => uid === text || trace_id === text)
  const matchCount = exchanges.filter(exchangeFilter({ q: [text] })).length
  const search: Command = {
    id: 'search requests',
    icon: List,
    title: `Search requests for “${escapeControls(text)}”`,
    marks: findMarks(text.toLowerCase(), `Search requests for “${escapeControls(text)}”`).slice(-1),
    detail: `${formatCount(matchCount)} of ${formatCount(exchanges.length)}`,
    keys: ['/'],
    run: opens({ screen: 'requests', params: { q: [text] } }),
  }
  const reference = findBest(text, referenceCommands)
  return [
    ...(exact
      ? [
          {
            id: `request ${exact.uid}`,
            icon: List,
            title: `${exact.method} ${exact.path}`,
            detail: `request ${exact.uid}, ${exact.status}, ${exact.did}`,
            run: opens({ screen: 'requests', record: exact.uid }),
          },
        ]
      : []),
    // A search without results comes last.
    ...(matchCount > 0 ? [search, ...reference] : [...reference, search]),
  ]
}

/** Error codes, rules and endpoints, each of which opens the reference. */
const referenceCommands: readonly Command[] = [
  ...Object.values(errors).map(
    ({ code, title, detail, status }): Command => ({
      id: `error ${code}`,
      icon: BookText,
      title: `${code} ${title}`,
      also: `${detail} error ${status}`,
      detail: `${status}, ${detail}`,
      run: opens({
        screen: 'reference',
        record: 'errors',
        params: { code: [String(code)] },
      }),
    }),
  ),
  ...rulesBySection.map(
    ({ rule, section }): Command => ({
      id: `rule ${rule}`,
      icon: FileText,
      title: `Specification ${section}: ${rule}`,
      also: 'rule section',
      run: opens({ screen: 'reference', record: 'rules', params: { section: [section] } }),
    }),
  ),
  ...Object.entries(endpoints).map(
    ([name, { method, path, summary }]): Command => ({
      id: `endpoint ${name}`,
      icon: BookText,
      title: `${method} ${path}: ${summary}`,
      also: `${name} endpoint reference`,
      run: opens({ screen: 'reference', record: name }),
    }),
  ),
]

function findBest(text: string, all: readonly Command[]): Command[] {
  return rankCommands(text, all).slice(0, MAX_RULES)
}

/** The commands that match, best first, with the matching text highlighted. */
export function rankCommands(text: string, all: readonly Command[]): Command[] {
  return all
    .flatMap((command) => {
      const match = matchText(text, command.title, command.also)
      return match ? [{ rank: match.rank, command: { ...command, marks: match.marks } }] : []
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => command)
}

/** The commands for the open record. */
export function openRecordCommands(
  { collection, record, screen }: Pick<Route, 'collection' | 'record' | 'screen'>,
  moves: readonly LegalMove[],
  actions: readonly RecordAction[],
): Command[] {
  if (record === null) return []
  const general: Command[] = [
    {
      id: 'why',
      icon: CircleHelp,
      title: 'Why is it in this state?',
      also: 'cause reason explain so',
      keys: ['w'],
      run: () => ({ afterwards: openExplanation }),
    },
    {
      id: 'copy uid',
      icon: Copy,
      title: screen === 'requests' ? 'Copy the request’s uid' : 'Copy the uid',
      detail: record,
      run: async () => ({ message: (await copyText(record)) ? 'uid copied' : 'the uid could not be copied' }),
    },
  ]
  if (screen !== 'record' || collection === null)
    return screen === 'requests' ? [...general.slice(1), ...requestActions(record)] : general.slice(1)
  const decisions = moves.filter(({ legal }) => legal).flatMap((move) => decisionCommands(collection, record, move))
  // Enter runs the first command of a palette that has just opened: it must not change anything.
  return [
    ...general,
    ...decisions,
    ...actions.filter(({ refused }) => refused === null).map(actionCommand),
    ...(decisions.length > 0 ? [branchAndCompare(collection, record)] : []),
  ]
}

/** Opens the form of the action on the record's page. */
const actionCommand = ({ id, title, endpoint }: RecordAction): Command => ({
  id: `action ${id}`,
  icon: Send,
  title: `${title}…`,
  also: 'action request',
  detail: `${endpoints[endpoint].method} ${endpoints[endpoint].path}`,
  run: () => ({ afterwards: () => openRecordAction(id) }),
})

/** One command for a decision without inputs, or one per value of its only input; else a command that opens its form. */
function decisionCommands(collection: string, uid: string, { move, to, inputs }: LegalMove): Command[] {
  const required = inputs.filter((input) => input.required)
  const decide = (values: Readonly<Record<string, string>>, title: string): Command => ({
    id: `move ${title}`,
    icon: Play,
    title,
    also: 'decision decide move make',
    detail: `→ ${to}`,
    tries: [callOf('moves.make', { collection, uid, move, inputs: values })],
    run: () =>
      call(sandbox['moves.make']({ collection, uid, move, inputs: { ...values } }), (after) =>
        typeof after.status === 'string' ? `${move}: the status is ${after.status}` : `${move}: done`,
      ),
  })
  if (required.length === 0) return [decide({}, move)]
  const [first, second] = required
  if (first?.values && !second && first.values.length <= MAX_VALUES)
    return first.values.map((value) => decide({ [first.name]: value }, `${move}: ${value}`))
  return [
    {
      id: `move ${move}`,
      icon: Play,
      title: `${move}…`,
      also: 'decision decide move make',
      detail: `requires ${required.map(({ name }) => name).join(', ')}: opens the form`,
      run: () => ({ afterwards: () => clickDecision(move) }),
    },
  ]
}
const MAX_VALUES = 8

/** Clicks the button on the record's page, which opens the form of the decision. */
function clickDecision(move: string) {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('main button')]
  buttons.find((button) => button.textContent?.trim().replace(/…$/, '') === move)?.click()
}

/** Commands that open a part of a screen: a kind of injection, a scenario, a section of the settings. */

export const injectCommands: readonly Command[] = [...injections, OUTSIDE, DECISIONS].map((injection) => ({
  id: `inject ${injection.id}`,
  icon: screenList.inject.icon,
  title: `Inject: ${injection.title}`,
  also: `${injection.group} ${'description' in injection ? injection.description : ''} simulate payment`,
  detail: injection.group,
  run: opens({ screen: 'inject', params: { kind: [injection.id] } }),
}))

export const settingsCommands: readonly Command[] = settingsSections
  .filter(([id]) => id !== 'other')
  .map(([id, title, names]) => ({
    id: `settings ${id}`,
    icon: screenList.settings.icon,
    title: `Settings: ${title}`,
    also: `section program preferences ${names} ${names.replaceAll('_', ' ')}`,
    run: opens({ screen: 'settings', params: { part: [id] } }),
  }))

export const scenarioCommands = (scenarios: readonly ScenarioInfo[]): Command[] =>
  scenarios.map(({ name, title, teaches, own }) => ({
    id: `scenario ${name}`,
    icon: screenList.scenarios.icon,
    title: `Scenario: ${title}`,
    also: `${name} ${teaches ?? ''} run test`,
    detail: own ? 'yours' : 'library',
    run: opens({ screen: 'scenarios', record: name }),
  }))
