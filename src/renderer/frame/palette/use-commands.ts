import { useDeferredValue, useMemo, useRef } from 'react'
import type { AdvanceInput } from '../../../api/contract/control/clock.ts'
import { advanceInput } from '../../actions/clock.ts'
import {
  copyAddressAction,
  formActions,
  newWindowAction,
  openScreenActions,
  shortcutsAction,
  switchProgramActions,
  themeActions,
} from '../../actions/window.ts'
import {
  cancelJob,
  clearFaultsAction,
  exportBundleAction,
  importFile,
  leaveLook,
  newWorld,
  openWorldAction,
  recordScenario,
  saveSnapshot,
  stackActions,
  startOver,
} from '../../actions/world.ts'
import { collections } from '../../data/collections.ts'
import { useFeed, useNow } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/sandbox.ts'
import { useTheme } from '../../data/theme.ts'
import { useUndoSteps } from '../../data/undo.ts'
import { useAdvancePreview } from '../../data/use-advance-preview.ts'
import { useProgram } from '../../data/use-program.ts'
import { useRecordActions } from '../../data/use-record-actions.ts'
import { shownWorld } from '../../data/world-address.ts'
import { useWorlds } from '../../data/worlds.ts'
import { useDebounced } from '../../ui/use-debounced.ts'
import { clockCommands, readTyped } from './clock-commands.ts'
import { type Command, type CommandGroup, readRecentCommands } from './command.ts'
import {
  type FoundRecord,
  injectCommands,
  openRecordCommands,
  rankCommands,
  recordCommands,
  ruleCommands,
  scenarioCommands,
  settingsCommands,
} from './search-commands.ts'

const MAX_PER_GROUP = 6
/** Of other worlds, without a text. */
const MAX_OFFERED = 5

interface FoundCommands {
  readonly groups: CommandGroup[]
  /** A uid was typed, and the sandbox has not answered yet; or it has searched the newest records, and searches the others. */
  readonly isSearching: boolean
}

/** The commands that match the typed text, in groups, best first. */
export function useCommands(typed: string): FoundCommands {
  const text = typed.trim()
  // The actions read the feed.
  const { clock, progress, exchanges } = useFeed()
  useTheme()
  const program = useProgram()
  const { screen, collection, record } = useRoute()
  const previews = usePreviews(clock === null || progress !== null ? null : text, useNow())
  const isRecordOpen = screen === 'record' && collection !== null && record !== null
  const { data: moves } = useQuery('moves.list', isRecordOpen ? { collection, uid: record } : null, [collection ?? ''])
  const offered = useRecordActions(isRecordOpen ? { collection, uid: record } : null)
  const { data: library } = useQuery('scenarios.list', text === '' ? null : {}, ['scenarios'])
  const worlds = useWorlds().data?.worlds.map(({ name }) => name) ?? []
  const snapshots = useQuery('snapshots.list', {}, ['snapshots']).data?.snapshots.map(({ name }) => name) ?? []
  const found = useRecordSearch(text, program?.uid)
  const searched = useDeferredValue(text)

  const recordActions = openRecordCommands({ screen, collection, record }, moves?.moves ?? [], offered)
  const clockActions = clockCommands(previews, text)
  const otherWorlds = [null, ...(text === '' ? worlds.slice(-MAX_OFFERED) : worlds)]
  const actions: readonly Command[] = [
    cancelJob() ?? [],
    saveSnapshot(text, snapshots),
    stackActions(useUndoSteps()),
    useFeed.getState().faults.length > 0 ? clearFaultsAction() : [],
    leaveLook() ?? [],
    newWorld(),
    otherWorlds.filter((name) => name !== shownWorld()).map(openWorldAction),
    recordScenario(),
    importFile,
    exportBundleAction,
    switchProgramActions(program?.uid),
    formActions,
    startOver(),
    newWindowAction(),
    copyAddressAction,
    themeActions(),
    shortcutsAction,
  ].flat()
  const rules = useMemo(() => (searched === '' ? [] : ruleCommands(searched, exchanges)), [searched, exchanges])

  const recordTitle = isRecordOpen ? `This ${collections[collection].one}` : 'This request'
  const groups: readonly Group[] = [
    [recordTitle, recordActions],
    ['Clock', clockActions],
    ['Go to', openScreenActions],
    ['Actions', actions],
  ]
  if (text === '') {
    const all = groups.flatMap(([, commands]) => commands)
    const recent = readRecentCommands().flatMap((id) => all.find((command) => command.id === id) ?? [])
    const [first, ...others] = groups.map(
      ([title, commands]): Group => [title, commands.filter((one) => !recent.includes(one))],
    )
    return { isSearching: false, groups: dropEmptyGroups([first!, ['Recent', recent], ...others]) }
  }
  const records = recordCommands(found.records, text)
  const isUid = found.records[0]?.field === 'uid' && found.records[0].value === text
  // Offer nothing until a pasted uid is found: users press Enter right after pasting.
  if (looksLikeUid(text) && found.text !== text) return { isSearching: true, groups: [] }
  const more: readonly Group[] = [
    ['Inject', injectCommands],
    ['Scenarios', scenarioCommands(library?.scenarios ?? [])],
    ['Settings', settingsCommands],
  ]
  const best = [...groups, ...more].map(
    ([title, commands]): Group => [title, rankCommands(text, commands).slice(0, MAX_PER_GROUP)],
  )
  const matching: readonly Group[] = isUid
    ? [['Records', records], ...sortByTitleMatch(best)]
    : [...sortByTitleMatch(best), ['Records', records]]
  return { isSearching: found.isPart, groups: dropEmptyGroups([...matching, ['Requests and rules', rules]]) }
}

/** Of the commands of the clock; null asks nothing. */
function usePreviews(text: string | null, now: number) {
  const typed = text === null ? undefined : readTyped(text, now)
  const goal = (one: AdvanceInput) => (text === null ? null : one)
  return {
    next: useAdvancePreview(goal(advanceInput('next'))).data,
    hour: useAdvancePreview(goal(advanceInput('hour'))).data,
    businessDay: useAdvancePreview(goal(advanceInput('businessDay'))).data,
    idle: useAdvancePreview(goal(advanceInput('idle'))).data,
    typed: useAdvancePreview(typed ? { text: typed.text } : null).data,
  }
}

type Group = readonly [title: string, commands: readonly Command[]]

const dropEmptyGroups = (groups: readonly Group[]): CommandGroup[] =>
  groups.flatMap(([title, items]) => (items.length > 0 ? [{ title, items }] : []))

/** Groups with a match in a title come before those that match only by other words. */
const sortByTitleMatch = (groups: readonly Group[]): readonly Group[] =>
  groups.toSorted((a, b) => Number(isTitleMatch(b)) - Number(isTitleMatch(a)))
const isTitleMatch = ([, [first]]: Group) => (first?.marks ?? []).length > 0

const looksLikeUid = (text: string) => /^(?=.*[A-Z])(?=.*[a-z\d])[A-Za-z\d]{16}$/.test(text)

const PAUSE_MS = 60
/** What a search finds at most. */
const MAX_RECORDS = 8
const NO_RECORDS = { text: '', records: [] as readonly FoundRecord[], isPart: false }

/** The result stays until there is a newer one. */
function useRecordSearch(text: string, program_uid: string | undefined) {
  const settled = useDebounced(text, PAUSE_MS)
  const asked = text === '' || looksLikeUid(text) ? text : settled
  const input = { text: asked.slice(0, 200), limit: MAX_RECORDS, ...(program_uid === undefined ? {} : { program_uid }) }
  const newest = useQuery('records.search', asked === '' ? null : input)
  const needsAll = newest.data?.complete === false && newest.data.records.length < MAX_RECORDS
  const all = useQuery('records.search', needsAll ? { ...input, complete: true } : null)
  const { data, error } = all.data ? all : newest
  const isPart = needsAll && all.data === undefined && all.error === undefined
  const found = useRef(NO_RECORDS)
  if (asked === '' || data || error !== undefined) found.current = { text: asked, records: data?.records ?? [], isPart }
  return found.current
}
